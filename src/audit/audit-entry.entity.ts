import { Column, Entity, Index } from 'typeorm';
import { IdColumn, JsonColumn, TimeColumn } from '../database/index.js';
import type { AuditDocument } from './audit-entry.js';

/**
 * An audit entry: an action, or a refused action. Rows are never changed. The table has no foreign keys, so entries
 * remain when their resource is deleted.
 */
@Entity('audit_log')
@Index('audit_log_team', ['teamId', 'id'])
@Index('audit_log_target', ['targetId', 'id'])
export class AuditEntryEntity {
  @IdColumn({ primary: true, primaryKeyConstraintName: 'audit_log_pkey' })
  id: string;

  @IdColumn({ name: 'team_id' })
  teamId: string;

  /** Id of the affected project; null for an action on the whole team. */
  @IdColumn({ name: 'project_id', nullable: true })
  projectId: string | null;

  /** Id of the user who acted; null for commands on the machine of the service, and for unknown callers. */
  @IdColumn({ name: 'user_id', nullable: true })
  userId: string | null;

  /** Id of the API key that was used; null for actions in the dashboard and for commands. */
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
