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

  /** `all`, `api` or `worker`. Null in a row of an older version. */
  @Column({ type: 'varchar', nullable: true })
  role: string | null;

  /** Version of the service. Null in a row of an older version. */
  @Column({ type: 'varchar', nullable: true })
  version: string | null;

  @TimeColumn({ name: 'started_at' })
  startedAt: string;

  /** Time of the last heartbeat by the database's clock. */
  @TimeColumn({ name: 'last_seen_at' })
  lastSeenAt: string;
}
