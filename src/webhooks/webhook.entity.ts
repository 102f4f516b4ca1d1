import { Column, Entity, Index } from 'typeorm';
import { IdColumn, JsonColumn, PositionColumn, TimeColumn } from '../database/index.js';
import { SealedColumn } from '../encryption/index.js';
import { type PositionRange, sealContext, type WebhookFormat, type WebhookStatus } from './webhook.js';

@Entity('webhooks')
@Index('webhooks_project', ['projectId', 'id'])
@Index('webhooks_active', ['status', 'id'])
export class WebhookEntity {
  @IdColumn({ primary: true })
  id: string;

  @IdColumn({ name: 'project_id' })
  projectId: string;

  @Column({ type: 'varchar' })
  url: string;

  @Column({ type: 'varchar' })
  description: string;

  @JsonColumn()
  events: readonly string[];

  @JsonColumn({ name: 'workflow_ids', nullable: true })
  workflowIds: readonly string[] | null;

  @Column({ type: 'varchar', nullable: true })
  filter: string | null;

  @Column({ type: 'varchar' })
  format: WebhookFormat;

  @Column({ type: 'varchar' })
  status: WebhookStatus;

  @Column({ name: 'status_reason', type: 'varchar', nullable: true })
  statusReason: string | null;

  @TimeColumn({ name: 'failing_since', nullable: true })
  failingSince: string | null;

  @PositionColumn({ name: 'delivered_total' })
  deliveredTotal: number;

  @PositionColumn({ name: 'failed_total' })
  failedTotal: number;

  @SealedColumn(sealContext, { type: 'varchar' })
  secret: string;

  @SealedColumn(sealContext, { name: 'old_secret', type: 'varchar', nullable: true })
  oldSecret: string | null;

  @TimeColumn({ name: 'old_secret_until', nullable: true })
  oldSecretUntil: string | null;

  @PositionColumn({ name: 'cursor_position' })
  cursorPosition: number;

  @PositionColumn({ name: 'inactive_from', nullable: true })
  inactiveFrom: number | null;

  @JsonColumn()
  skipped: readonly PositionRange[];

  @IdColumn({ name: 'lease_owner', nullable: true })
  leaseOwner: string | null;

  @TimeColumn({ name: 'lease_until', nullable: true })
  leaseUntil: string | null;

  @Column({ name: 'lease_epoch', type: 'integer' })
  leaseEpoch: number;

  @TimeColumn({ name: 'due_at', nullable: true })
  dueAt: string | null;

  @Column({ type: 'integer' })
  revision: number;

  @TimeColumn({ name: 'created_at' })
  createdAt: string;

  @TimeColumn({ name: 'updated_at' })
  updatedAt: string;
}
