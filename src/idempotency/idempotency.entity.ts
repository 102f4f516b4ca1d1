import { Column, Entity, Index } from 'typeorm';
import { JsonColumn, TimeColumn } from '../storage/index.js';

/** The first answer to a request with an `Idempotency-Key`. */
@Entity('idempotency_keys')
@Index('idempotency_keys_created', ['createdAt'])
export class IdempotencyEntity {
  /** SHA-256 over owner, method, path and key. */
  @Column({ type: 'varchar', primary: true })
  id: string;

  @Column({ name: 'request_hash', type: 'varchar' })
  requestHash: string;

  @Column({ type: 'integer' })
  status: number;

  @JsonColumn()
  headers: Readonly<Record<string, string>>;

  /** JSON text. */
  @Column({ type: 'text' })
  body: string;

  @TimeColumn({ name: 'created_at' })
  createdAt: string;
}
