import { Column, Entity, Index } from 'typeorm';
import { JsonColumn, TimeColumn } from '../database/index.js';

/** A request with an `Idempotency-Key`: what it created, and its response once that is stored. */
@Entity('idempotency_keys')
@Index('idempotency_keys_created', ['createdAt'])
export class IdempotencyEntity {
  /** SHA-256 over owner, method, path and key. */
  @Column({ type: 'varchar', primary: true })
  id: string;

  @Column({ name: 'request_hash', type: 'varchar' })
  requestHash: string;

  /** Id of what the request created; null if it created nothing. */
  @Column({ name: 'resource_id', type: 'varchar', nullable: true })
  resourceId: string | null;

  /** Null, like headers and body, until the response is stored. */
  @Column({ type: 'integer', nullable: true })
  status: number | null;

  @JsonColumn({ nullable: true })
  headers: Readonly<Record<string, string>> | null;

  /** JSON text. */
  @Column({ type: 'text', nullable: true })
  body: string | null;

  @TimeColumn({ name: 'created_at' })
  createdAt: string;
}
