import { type ExecutionState, type Plan, withoutUnneededOutputs } from '../../engine/index.js';
import type { JournalEvent } from '../../execution-events/index.js';
import type { Statement } from '../../storage/index.js';
import { CHECKPOINT_INTERVAL, type CheckpointRepository } from './checkpoint.repository.js';
import { recoveriesInARow } from './recoveries.js';

/** How far the last checkpoint of an execution reaches. */
export interface CheckpointMark {
  readonly sequence: number;
  /** Bytes that the execution had stored by then. */
  readonly storedBytes: number;
  /** Characters of its text. */
  readonly size: number;
}

const NO_CHECKPOINT: CheckpointMark = { sequence: 0, storedBytes: 0, size: 0 };

/** A checkpoint for the commit of the next events. */
export interface DueCheckpoint {
  readonly statement: Statement;
  readonly mark: CheckpointMark;
}

/**
 * Decides when a run writes a checkpoint. A large state is written less often: the text of checkpoints never exceeds
 * the bytes of the journal, so a resume reads at most twice the state.
 */
export class RunCheckpoints {
  constructor(
    private readonly repository: Pick<CheckpointRepository, 'write'>,
    private readonly plan: Plan,
    private readonly executionId: string,
    private last: CheckpointMark = NO_CHECKPOINT,
    private recoveries = 0,
  ) {}

  /**
   * @param durable the state that is committed
   * @param sequence of the last event that is about to be committed
   * @param storedBytes of what is committed
   */
  due(durable: ExecutionState, sequence: number, storedBytes: number): DueCheckpoint | null {
    const isDue =
      sequence - this.last.sequence >= CHECKPOINT_INTERVAL &&
      durable.sequence > this.last.sequence &&
      storedBytes - this.last.storedBytes >= this.last.size;
    if (!isDue) return null;
    const state = withoutUnneededOutputs(this.plan, durable);
    const written = this.repository.write(this.executionId, {
      state,
      storedBytes,
      recoveries: this.recoveries,
    });
    if (written === null) return null;
    return {
      statement: written.statement,
      mark: { sequence: durable.sequence, storedBytes, size: written.size },
    };
  }

  /**
   * The events are durable, with the checkpoint that was due.
   * @returns the state that the run goes on with: after a checkpoint, without outputs that nothing needs
   */
  committed(
    events: readonly JournalEvent[],
    checkpoint: DueCheckpoint | null,
    state: ExecutionState,
  ): ExecutionState {
    this.recoveries = recoveriesInARow(events, this.recoveries);
    if (checkpoint === null) return state;
    this.last = checkpoint.mark;
    return withoutUnneededOutputs(this.plan, state);
  }
}
