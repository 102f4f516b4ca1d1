import { Column, Entity, Index } from 'typeorm';
import { IdColumn, JsonColumn, TimeColumn } from '../database/index.js';
import type { AuditDocument } from './audit-entry.js';

/**
 * An action or a refused action. Rows are never changed, and no foreign key deletes them with a
 * resource.
 */
@Entity('audit_log')
@Index('audit_log_team', ['teamId', 'id'])
@Index('audit_log_target', ['targetId', 'id'])
export class AuditEntryEntity {
  @IdColumn({ primary: true, primaryKeyConstraintName: 'audit_log_pkey' })
  id: string;

  @IdColumn({ name: 'team_id' })
  teamId: string;

  /** Null for an action on the whole team. */
  @IdColumn({ name: 'project_id', nullable: true })
  projectId: string | null;

  /** Null for commands on the machine of the service, and for unknown callers. */
  @IdColumn({ name: 'user_id', nullable: true })
  userId: string | null;

  /** Null for actions in the dashboard and for commands. */
  @IdColumn({ name: 'key_id', nullable: true })
  keyId: string | null;

  @Column({ type: 'varchar' })
  address: string;

  @Column({ name: 'request_id', type: 'varchar', nullable: true })
  requestId: string | null;

  @Column({ type: 'varchar' })
  action: string;

  @Column({ name: 'target_type', type: 'varchar' })
  targetType: string;

  @IdColumn({ name: 'target_id' })
  targetId: string;

  @JsonColumn({ nullable: true })
  before: AuditDocument | null;

  @JsonColumn({ nullable: true })
  after: AuditDocument | null;

  @TimeColumn({ name: 'created_at' })
  createdAt: string;
}
