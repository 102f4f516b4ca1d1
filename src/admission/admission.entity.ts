import { Column, Entity, Index } from 'typeorm';
import { GeneratedPositionColumn, IdColumn, TimeColumn } from '../database/index.js';

/**
 * The place of an execution under `max_running` or in a serial session, from its start to its end.
 * Unique indexes enforce both limits across all processes.
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

  /** The workflow whose `max_running` limits this execution; null if there is no such limit. */
  @IdColumn({ name: 'workflow_id', nullable: true })
  workflowId: string | null;

  /** The serial session of the execution; null if the execution is not in a serial session. */
  @IdColumn({ name: 'session_id', nullable: true })
  sessionId: string | null;

  /** 9 minus the priority, because lower ranks are admitted first. */
  @Column({ type: 'integer' })
  rank: number;

  /** Earliest time of admission. */
  @TimeColumn({ name: 'due_at' })
  dueAt: string;

  /** Slot number under `max_running`; null while the execution waits. */
  @Column({ type: 'integer', nullable: true })
  slot: number | null;
}
