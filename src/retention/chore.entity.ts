import { Column, Entity } from 'typeorm';
import { IdColumn, TimeColumn } from '../database/index.js';

/** A periodic task that one process does for all. */
@Entity('chores')
export class ChoreEntity {
  @Column({ type: 'varchar', primary: true, primaryKeyConstraintName: 'chores_pkey' })
  name: string;

  /** The process that does it now; a process without a row in the instances holds nothing. */
  @IdColumn({ nullable: true })
  holder: string | null;

  @TimeColumn({ name: 'started_at' })
  startedAt: string;
}
