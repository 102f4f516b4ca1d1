import { Column, Entity, Index } from 'typeorm';
import { GeneratedPositionColumn, IdColumn, TimeColumn } from '../database/index.js';

/**
 * Admission of an execution under `max_running` or in a serial session. The row exists from the start of the execution
 * until its end. Unique indexes enforce both limits across all processes.
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
  @GeneratedPositionColumn()
  position: number;

  @IdColumn({ name: 'execution_id' })
  executionId: string;

  /** Id of the workflow whose `max_running` limits the execution; null if the workflow has no such limit. */
  @IdColumn({ name: 'workflow_id', nullable: true })
  workflowId: string | null;

  /** Id of the serial session of the execution; null if the execution is not in a serial session. */
  @IdColumn({ name: 'session_id', nullable: true })
  sessionId: string | null;

  /** Order of admission, lowest rank first. The rank is 9 minus the priority of the execution. */
  @Column({ type: 'integer' })
  rank: number;

  /** Earliest time at which the execution may be admitted. */
  @TimeColumn({ name: 'due_at' })
  dueAt: string;

  /** Number of the slot that the admitted execution has; null while the execution waits for admission. */
  @Column({ type: 'integer', nullable: true })
  slot: number | null;
}
