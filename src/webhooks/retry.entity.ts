import { Column, Entity } from 'typeorm';
import { IdColumn, PositionColumn, TimeColumn } from '../database/index.js';

/** Scheduled retry of the failed delivery of an event. The row is deleted when the delivery succeeds or is given up. */
@Entity('webhook_retries')
export class RetryEntity {
  @IdColumn({ name: 'webhook_id', primary: true })
  webhookId: string;

  @IdColumn({ name: 'execution_id', primary: true })
  executionId: string;

  @Column({ name: 'after_sequence', type: 'integer' })
  afterSequence: number;

  @PositionColumn()
  position: number;

  @IdColumn({ name: 'delivery_id' })
  deliveryId: string;

  @Column({ type: 'integer' })
  attempts: number;

  @TimeColumn({ name: 'next_attempt_at' })
  nextAttemptAt: string;
}
