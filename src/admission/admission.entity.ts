import { Column, Entity, Index } from 'typeorm';
import { GeneratedPositionColumn, IdColumn, TimeColumn } from '../database/index.js';

/**
 * Admission of an execution that counts for `max_running` or belongs to a serial session, from its start to its end.
 * Two unique indexes enforce both limits over all processes.
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
  /** Start order, assigned by the database. */
  @GeneratedPositionColumn()
  position: number;

  @IdColumn({ name: 'execution_id' })
  executionId: string;

  /** The workflow whose `max_running` this execution counts for; null if it has none. */
  @IdColumn({ name: 'workflow_id', nullable: true })
  workflowId: string | null;

  /** The serial session in which it waits for its turn; null outside of one. */
  @IdColumn({ name: 'session_id', nullable: true })
  sessionId: string | null;

  /** Lower runs first: 9 minus the priority. */
  @Column({ type: 'integer' })
  rank: number;

  /** Not eligible before this time. */
  @TimeColumn({ name: 'due_at' })
  dueAt: string;

  /** The workflow's slot it holds; null while it waits. */
  @Column({ type: 'integer', nullable: true })
  slot: number | null;
}
