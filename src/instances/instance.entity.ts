import { Column, Entity } from 'typeorm';
import { IdColumn, TimeColumn } from '../database/index.js';

/** A running process; one that runs executions may hold some. */
@Entity('instances')
export class InstanceEntity {
  @IdColumn({ primary: true })
  id: string;

  @Column({ type: 'varchar' })
  host: string;

  @Column({ type: 'integer' })
  pid: number;

  /** What it does: `all`, `api` or `worker`; null where an older version entered it. */
  @Column({ type: 'varchar', nullable: true })
  role: string | null;

  /** Of the service that it runs; null where an older one entered it. */
  @Column({ type: 'varchar', nullable: true })
  version: string | null;

  @TimeColumn({ name: 'started_at' })
  startedAt: string;

  /** By the database's clock. */
  @TimeColumn({ name: 'last_seen_at' })
  lastSeenAt: string;
}
