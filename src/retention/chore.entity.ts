import { Column, Entity } from 'typeorm';
import { IdColumn, TimeColumn } from '../database/index.js';

/** A task that one process does for all, now and then. */
@Entity('chores')
export class ChoreEntity {
  @Column({ type: 'varchar', primary: true, primaryKeyConstraintName: 'chores_pkey' })
  name: string;

  /** The process that does it now; one that is no longer among the instances holds nothing. */
  @IdColumn({ nullable: true })
  holder: string | null;

  @TimeColumn({ name: 'started_at' })
  startedAt: string;
}
