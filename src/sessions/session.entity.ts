import { Column, Entity, Index } from 'typeorm';
import type { JsonObject } from '../expressions/index.js';
import { IdColumn, JsonColumn, TimeColumn } from '../database/index.js';
import type { SessionConcurrency } from './session.js';

@Entity('sessions')
@Index('sessions_project', ['projectId', 'id'])
@Index('sessions_external_id', ['projectId', 'externalId', 'id'], { where: 'external_id IS NOT NULL' })
@Index('sessions_open_external_id', ['projectId', 'openExternalId'], {
  unique: true,
  where: 'open_external_id IS NOT NULL',
})
export class SessionEntity {
  @IdColumn({ primary: true })
  id: string;

  @IdColumn({ name: 'project_id' })
  projectId: string;

  @Column({ name: 'external_id', type: 'varchar', nullable: true })
  externalId: string | null;

  /**
   * External id by which the session can be found. Null once the session is closed or deleted. Also null if the session
   * has expired and a new session has taken the id.
   */
  @Column({ name: 'open_external_id', type: 'varchar', nullable: true })
  openExternalId: string | null;

  @Column({ type: 'varchar' })
  name: string;

  @JsonColumn()
  metadata: JsonObject;

  @JsonColumn()
  state: JsonObject;

  @Column({ name: 'state_version', type: 'integer' })
  stateVersion: number;

  @Column({ type: 'varchar' })
  concurrency: SessionConcurrency;

  @Column({ type: 'integer' })
  revision: number;

  @TimeColumn({ name: 'created_at' })
  createdAt: string;

  @TimeColumn({ name: 'updated_at' })
  updatedAt: string;

  @TimeColumn({ name: 'last_activity_at' })
  lastActivityAt: string;

  @TimeColumn({ name: 'expires_at', nullable: true })
  expiresAt: string | null;

  @TimeColumn({ name: 'closed_at', nullable: true })
  closedAt: string | null;

  @TimeColumn({ name: 'deleted_at', nullable: true })
  deletedAt: string | null;
}
