import { Column, Entity } from 'typeorm';
import { IdColumn, TimeColumn } from '../../platform/index.js';

/** A running process that may hold executions. */
@Entity('instances')
export class InstanceEntity {
  @IdColumn({ primary: true })
  id: string;

  @Column({ type: 'varchar' })
  host: string;

  @Column({ type: 'integer' })
  pid: number;

  @TimeColumn({ name: 'started_at' })
  startedAt: string;

  /** By the database's clock. */
  @TimeColumn({ name: 'last_seen_at' })
  lastSeenAt: string;
}
