import { Column, Entity, Index } from 'typeorm';
import { IdColumn, TimeColumn } from '../database/index.js';
import type { DeliveryOutcome, DeliverySource } from './hook.js';

/**
 * A request that reached a hook. If several requests have the same key, the unique index on `claimed_key`
 * lets only one of them take effect.
 */
@Entity('hook_deliveries')
@Index('hook_deliveries_hook', ['hookId', 'id'])
@Index('hook_deliveries_received', ['receivedAt'])
@Index('hook_deliveries_key', ['hookId', 'claimedKey'], {
  unique: true,
  where: 'claimed_key IS NOT NULL',
})
export class HookDeliveryEntity {
  @IdColumn({ primary: true })
  id: string;

  @IdColumn({ name: 'hook_id' })
  hookId: string;

  @TimeColumn({ name: 'received_at' })
  receivedAt: string;

  @Column({ type: 'varchar' })
  method: string;

  @Column({ type: 'varchar' })
  address: string;

  @Column({ name: 'content_type', type: 'varchar', nullable: true })
  contentType: string | null;

  @Column({ name: 'size_bytes', type: 'integer' })
  sizeBytes: number;

  @Column({ type: 'varchar' })
  source: DeliverySource;

  @Column({ type: 'varchar' })
  outcome: DeliveryOutcome;

  @Column({ type: 'integer' })
  status: number;

  @Column({ type: 'varchar', nullable: true })
  code: string | null;

  @Column({ type: 'varchar', nullable: true })
  reason: string | null;

  @Column({ type: 'varchar', nullable: true })
  key: string | null;

  /**
   * The key that an accepted delivery reserved, so that later deliveries with the same key count as repeated.
   * Null for repeated and refused deliveries, and for deliveries without a key.
   */
  @Column({ name: 'claimed_key', type: 'varchar', nullable: true })
  claimedKey: string | null;

  @IdColumn({ name: 'execution_id', nullable: true })
  executionId: string | null;
}
