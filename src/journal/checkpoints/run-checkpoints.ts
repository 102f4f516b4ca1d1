import { type ExecutionState, type Plan, withoutUnneededOutputs } from '../../engine/index.js';
import type { JournalEvent } from '../../execution-events/index.js';
import type { Statement } from '../../storage/index.js';
import { CHECKPOINT_INTERVAL, type CheckpointRepository } from './checkpoint.repository.js';
import { recoveriesInARow } from './recoveries.js';

export interface CheckpointMark {
  readonly sequence: number;
  readonly storedBytes: number;
  readonly size: number;
}

const NO_CHECKPOINT: CheckpointMark = { sequence: 0, storedBytes: 0, size: 0 };

export interface DueCheckpoint {
  readonly statement: Statement;
  readonly mark: CheckpointMark;
}

/**
 * Decides when a running execution writes a checkpoint. A large state is written less often, so that checkpoints take
 * fewer bytes than the journal.
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
   * Returns the checkpoint that the next commit must write; null if no checkpoint is due.
   * @param durable the state after the committed events
   * @param sequence sequence of the last event of the next commit
   * @param storedBytes bytes of all events and long values of the execution
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
   * Must be called after each commit of events, with the checkpoint that the commit wrote.
   * @returns the state with which the run continues; after a checkpoint, this state omits outputs that no node needs
   * anymore
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
