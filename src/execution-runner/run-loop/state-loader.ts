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

/** The state of a claimed execution, with its recoveries, stored bytes and checkpoints. */
export interface LoadedState {
  readonly state: ExecutionState;
  /** Number of recoveries from crashes since the execution last made progress. */
  readonly recoveries: number;
  /** Number of bytes that the execution has stored; 0 for a short execution without long values. */
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
   * @param execution the execution as its claim returned it
   */
  async load(
    { id, progress, bodies = null }: Execution,
    plan: Plan,
    surroundings: EvaluationContext,
    values: Pick<RunValues, 'whileLoading'>,
  ): Promise<LoadedState> {
    const length = progress.lastSequence;
    const checkpoint = await this.checkpoints.find(id, length);
    let state = checkpoint?.state ?? fold([]);
    let recoveries = checkpoint?.recoveries ?? 0;
    let hasLongValues = length > FEW_EVENTS;
    for await (const events of this.journal.partsOfClaimed(id, length, bodies, state.sequence)) {
      // This fold must be outside of the callback, because the callback may run several times. Loaded values are stored
      // by `LongValue` object, and a second fold would create new objects.
      const folded = fold(events, state);
      state = await values.whileLoading((read) => compact(plan, folded, { ...surroundings, read }));
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

  /** Creates the checkpoints of an execution that is not written yet. */
  checkpointsOf(executionId: string, plan: Plan): RunCheckpoints {
    return new RunCheckpoints(this.checkpoints, plan, executionId);
  }

  /** Returns the current state, computed without the plan. This state is sufficient to end the execution. */
  current({ id, progress }: Execution): Promise<ExecutionState> {
    return this.checkpoints.currentState(id, progress.lastSequence);
  }

  private async storedBytes(id: string, checkpoint: StoredCheckpoint | undefined): Promise<number> {
    if (checkpoint === undefined) return this.resources.storedBytes(id);
    return checkpoint.storedBytes + (await this.journal.sizeAfter(id, checkpoint.state.sequence));
  }
}

/** Whether a long value of the event is stored separately. */
function isTruncated({ data }: JournalEvent): boolean {
  return 'output_truncated' in data || 'input_truncated' in data;
}
