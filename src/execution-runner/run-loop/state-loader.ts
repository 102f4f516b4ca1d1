import { Inject, Injectable } from '@nestjs/common';
import { compact, type ExecutionState, fold, type Plan, type EvaluationContext } from '../../engine/index.js';
import type { JournalEvent } from '../../execution-events/index.js';
import type { Execution } from '../../execution-store/index.js';
import {
  CheckpointRepository,
  FEW_EVENTS,
  JournalRepository,
  recoveriesInARow,
  RunCheckpoints,
  type StoredCheckpoint,
} from '../../journal/index.js';
import { RunResources, type RunValues } from '../../run-memory/index.js';

/** State of a claimed execution, with the number of recoveries, the stored bytes and the checkpoints. */
export interface LoadedState {
  readonly state: ExecutionState;
  /** Number of recoveries after crashes since the execution last made progress. */
  readonly recoveries: number;
  /**
   * Total size of the stored events in bytes. For a short execution without long values, the size is not read and is 0.
   */
  readonly bytes: number;
  readonly checkpoints: RunCheckpoints;
}

/**
 * Loads the state of an execution from its checkpoint and the events after the checkpoint. Without a checkpoint, all
 * events are read.
 */
@Injectable()
export class StateLoader {
  constructor(
    @Inject(JournalRepository)
    private readonly journal: Pick<JournalRepository, 'partsOfClaimed' | 'sizeAfter'>,
    @Inject(CheckpointRepository)
    private readonly checkpoints: Pick<CheckpointRepository, 'currentState' | 'find' | 'write'>,
    @Inject(RunResources) private readonly resources: Pick<RunResources, 'storedBytes'>,
  ) {}

  /**
   * Loads the state of a claimed execution.
   *
   * @param execution the execution that the claim returned
   */
  async load(
    { id, progress, bodies = null }: Execution,
    plan: Plan,
    evaluation: EvaluationContext,
    values: Pick<RunValues, 'whileLoading'>,
  ): Promise<LoadedState> {
    const length = progress.lastSequence;
    const checkpoint = await this.checkpoints.find(id, length);
    let state = checkpoint?.state ?? fold([]);
    let recoveries = checkpoint?.recoveries ?? 0;
    let hasLongValues = length > FEW_EVENTS;
    for await (const events of this.journal.partsOfClaimed(id, length, bodies, state.sequence)) {
      // `fold` must run outside of the callback of `whileLoading`, which may be called several times. Loaded values
      // belong to `LongValue` objects, and each fold would create new objects.
      const folded = fold(events, state);
      state = await values.whileLoading((read) => compact(plan, folded, { ...evaluation, read }));
      recoveries = recoveriesInARow(events, recoveries);
      hasLongValues ||= events.some(isTruncated);
    }
    const bytes = hasLongValues ? await this.storedBytes(id, checkpoint) : 0;
    const mark = checkpoint && { ...checkpoint, sequence: checkpoint.state.sequence };
    return {
      state,
      recoveries,
      bytes,
      checkpoints: new RunCheckpoints(this.checkpoints, plan, id, mark, recoveries),
    };
  }

  /** Returns the checkpoint schedule of a new execution, which has no checkpoint yet. */
  checkpointsOf(executionId: string, plan: Plan): RunCheckpoints {
    return new RunCheckpoints(this.checkpoints, plan, executionId);
  }

  /**
   * Returns the current state without compiling the workflow. The state suffices for ending the execution.
   */
  current({ id, progress }: Execution): Promise<ExecutionState> {
    return this.checkpoints.currentState(id, progress.lastSequence);
  }

  private async storedBytes(id: string, checkpoint: StoredCheckpoint | undefined): Promise<number> {
    if (checkpoint === undefined) return this.resources.storedBytes(id);
    return checkpoint.storedBytes + (await this.journal.sizeAfter(id, checkpoint.state.sequence));
  }
}

/** Returns true if a long value of the event is stored separately. */
function isTruncated({ data }: JournalEvent): boolean {
  return 'output_truncated' in data || 'input_truncated' in data;
}
