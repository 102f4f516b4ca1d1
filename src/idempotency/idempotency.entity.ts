import { Column, Entity, Index } from 'typeorm';
import { JsonColumn, TimeColumn } from '../database/index.js';

/** A request with an `Idempotency-Key`, the id of the created resource, and the response. */
@Entity('idempotency_keys')
@Index('idempotency_keys_created', ['createdAt'])
export class IdempotencyEntity {
  @Column({ type: 'varchar', primary: true })
  id: string;

  @Column({ name: 'request_hash', type: 'varchar' })
  requestHash: string;

  @Column({ name: 'resource_id', type: 'varchar', nullable: true })
  resourceId: string | null;

  /** Status code of the response. Status code, headers and body are null until the response is stored. */
  @Column({ type: 'integer', nullable: true })
  status: number | null;

  @JsonColumn({ nullable: true })
  headers: Readonly<Record<string, string>> | null;

  @Column({ type: 'text', nullable: true })
  body: string | null;

  @TimeColumn({ name: 'created_at' })
  createdAt: string;
}
