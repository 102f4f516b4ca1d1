import { Column, Entity } from 'typeorm';
import { IdColumn, TimeColumn } from '../database/index.js';

@Entity('instances')
export class InstanceEntity {
  @IdColumn({ primary: true })
  id: string;

  @Column({ type: 'varchar' })
  host: string;

  @Column({ type: 'integer' })
  pid: number;

  /** Role of the process: `all`, `api` or `worker`; null if an older version of the service wrote the row. */
  @Column({ type: 'varchar', nullable: true })
  role: string | null;

  /** Version of the service; null if an older version of the service wrote the row. */
  @Column({ type: 'varchar', nullable: true })
  version: string | null;

  @TimeColumn({ name: 'started_at' })
  startedAt: string;

  /** Time of the last heartbeat, from the clock of the database. */
  @TimeColumn({ name: 'last_seen_at' })
  lastSeenAt: string;
}
