import { Column, Entity, Index } from 'typeorm';
import { IdColumn, JsonColumn, TimeColumn } from '../database/index.js';
import type { DeliveryAttempt, DeliveryStatus } from './delivery.js';

/** Log entry about the delivery of one event to a webhook, kept for seven days. */
@Entity('webhook_deliveries')
@Index('webhook_deliveries_webhook', ['webhookId', 'id'])
@Index('webhook_deliveries_status', ['webhookId', 'status', 'id'])
export class WebhookDeliveryEntity {
  @IdColumn({ primary: true })
  id: string;

  @IdColumn({ name: 'webhook_id' })
  webhookId: string;

  @IdColumn({ name: 'event_id' })
  eventId: string;

  @Column({ name: 'event_type', type: 'varchar' })
  eventType: string;

  @IdColumn({ name: 'execution_id', nullable: true })
  executionId: string | null;

  @Column({ type: 'integer', nullable: true })
  sequence: number | null;

  @Column({ type: 'varchar' })
  status: DeliveryStatus;

  @JsonColumn()
  attempts: readonly DeliveryAttempt[];

  @TimeColumn({ name: 'next_attempt_at', nullable: true })
  nextAttemptAt: string | null;

  @TimeColumn({ name: 'created_at' })
  createdAt: string;

  @TimeColumn({ name: 'updated_at' })
  updatedAt: string;
}
