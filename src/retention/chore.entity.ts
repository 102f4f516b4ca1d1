import { Column, Entity } from 'typeorm';
import { IdColumn, TimeColumn } from '../database/index.js';

/** A periodic task that one process runs on behalf of all. */
@Entity('chores')
export class ChoreEntity {
  @Column({ type: 'varchar', primary: true, primaryKeyConstraintName: 'chores_pkey' })
  name: string;

  /** Id of the process that runs the task. A process that is missing from `instances` no longer holds the task. */
  @IdColumn({ nullable: true })
  holder: string | null;

  @TimeColumn({ name: 'started_at' })
  startedAt: string;
}
