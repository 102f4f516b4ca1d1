import { Column, Entity, Index } from 'typeorm';
import { JsonColumn, TimeColumn } from '../database/index.js';

/** A request with an `Idempotency-Key`: the id of the created resource, and the response once it is stored. */
@Entity('idempotency_keys')
@Index('idempotency_keys_created', ['createdAt'])
export class IdempotencyEntity {
  /** SHA-256 of the caller, method, path and key. */
  @Column({ type: 'varchar', primary: true })
  id: string;

  @Column({ name: 'request_hash', type: 'varchar' })
  requestHash: string;

  /** Id of the resource that the request created; null if it created none. */
  @Column({ name: 'resource_id', type: 'varchar', nullable: true })
  resourceId: string | null;

  /** Status of the response. Status, headers and body are null until the response is stored. */
  @Column({ type: 'integer', nullable: true })
  status: number | null;

  @JsonColumn({ nullable: true })
  headers: Readonly<Record<string, string>> | null;

  /** The response body as JSON. */
  @Column({ type: 'text', nullable: true })
  body: string | null;

  @TimeColumn({ name: 'created_at' })
  createdAt: string;
}
