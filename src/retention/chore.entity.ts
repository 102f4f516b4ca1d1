import { Column, Entity } from 'typeorm';
import { IdColumn, TimeColumn } from '../database/index.js';

/** A periodic task that one process at a time runs on behalf of all processes. */
@Entity('chores')
export class ChoreEntity {
  @Column({ type: 'varchar', primary: true, primaryKeyConstraintName: 'chores_pkey' })
  name: string;

  /**
   * Id of the process that runs the task; null if no process runs the task. If the table `instances` no longer contains
   * the process, another process may claim the task.
   */
  @IdColumn({ nullable: true })
  holder: string | null;

  @TimeColumn({ name: 'started_at' })
  startedAt: string;
}
