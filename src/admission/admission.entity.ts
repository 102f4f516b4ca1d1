import { Column, Entity, Index } from 'typeorm';
import { GeneratedPositionColumn, IdColumn, TimeColumn } from '../database/index.js';

/**
 * The place of an execution that may not run whenever it likes: from its start to its end. What makes `max_running`
 * and serial sessions hold over all processes are the two unique indexes.
 */
@Entity('execution_admissions')
@Index('execution_admissions_execution', ['executionId'], { unique: true })
@Index('execution_admissions_slot', ['workflowId', 'slot'], {
  unique: true,
  where: 'workflow_id IS NOT NULL AND slot IS NOT NULL',
})
@Index('execution_admissions_turn', ['sessionId'], {
  unique: true,
  where: 'session_id IS NOT NULL AND slot IS NOT NULL',
})
@Index('execution_admissions_line', ['workflowId', 'rank', 'position'], { where: 'slot IS NULL' })
@Index('execution_admissions_session', ['sessionId', 'position'], { where: 'session_id IS NOT NULL' })
@Index('execution_admissions_due', ['dueAt'], { where: 'slot IS NULL' })
export class ExecutionAdmissionEntity {
  /** The order of the starts, as the database saw them. */
  @GeneratedPositionColumn()
  position: number;

  @IdColumn({ name: 'execution_id' })
  executionId: string;

  /** The workflow whose `max_running` it counts for; null where that has none. */
  @IdColumn({ name: 'workflow_id', nullable: true })
  workflowId: string | null;

  /** The serial session that it waits its turn in; null outside of one. */
  @IdColumn({ name: 'session_id', nullable: true })
  sessionId: string | null;

  /** Lower goes first: 9 less the priority. */
  @Column({ type: 'integer' })
  rank: number;

  /** Not in line before then. */
  @TimeColumn({ name: 'due_at' })
  dueAt: string;

  /** Which of the workflow's slots it has; null while it waits. */
  @Column({ type: 'integer', nullable: true })
  slot: number | null;
}
