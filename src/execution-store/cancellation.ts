import { Inject, Injectable } from '@nestjs/common';
import { awaitedChildren, cancelled, type ExecutionState } from '../engine/index.js';
import { CheckpointRepository } from '../journal/index.js';
import { CLOCK, type Clock, isoTime } from '../platform/index.js';
import { GatheredReads, type Write } from '../storage/index.js';
import { type Execution, hasEnded } from './execution.js';
import { ExecutionRepository } from './execution.repository.js';
import { Inbox } from '../inbox/index.js';
import { ExecutionChangedError, ExecutionFinishedError } from './execution.errors.js';
import {
  type CancellationJob,
  CancellationJobRepository,
} from './cancellation/cancellation-job.repository.js';

/** Why a child is cancelled whose parent has ended. */
export function hasEndedReason(parentId: string): string {
  return `Its parent ${parentId} has ended.`;
}

/** Times that a cancellation is tried again because the execution went on meanwhile. */
const MAX_TRIES = 20;

/**
 * How long nobody takes up again what was taken from its holder to be cancelled, in milliseconds: enough to read any
 * journal. After it, it goes on where whoever wanted it cancelled has died.
 */
const TAKEN_MS = 30_000;

/**
 * How long a cancellation of a tree waits for the descendants, in milliseconds. A small tree has ended by then; a large
 * one ends in the background.
 */
const TREE_WAIT_MS = 250;

/** Ends the descendants of executions that have ended, in the background. */
export interface TreeSweeper {
  /** @returns a promise of their end that never rejects */
  begin(job: CancellationJob): Promise<void>;
  /** Resolves when that is done, at the latest after `ms`. */
  settled(job: CancellationJob, ms: number): Promise<void>;
}

/** Ends executions from outside, whoever runs them: the journal decides, and their holder is refused. */
@Injectable()
export class Cancellation {
  private sweeper: TreeSweeper = { begin: () => Promise.resolve(), settled: () => Promise.resolve() };

  private readonly endedAncestors = new GatheredReads((ids) => this.jobs.endedAncestors(ids));

  constructor(
    @Inject(ExecutionRepository)
    private readonly repository: Pick<ExecutionRepository, 'findWhole' | 'overrule' | 'takeAway'>,
    @Inject(CheckpointRepository)
    private readonly states: Pick<CheckpointRepository, 'currentState'>,
    @Inject(Inbox) private readonly inbox: Pick<Inbox, 'empty' | 'tellOfCancelled' | 'wake'>,
    @Inject(CancellationJobRepository)
    private readonly jobs: Pick<CancellationJobRepository, 'endedAncestors' | 'insert' | 'ofTree'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Says who ends the descendants of executions that have ended. */
  sweepWith(sweeper: TreeSweeper): void {
    this.sweeper = sweeper;
  }

  /**
   * Ends an execution where it is; what runs of it is aborted. From this commit on no descendant starts, and those
   * there are end in the background. Cancelling twice is no fault.
   * @param isSwept whether a job ends the descendants already, and the parent has ended
   * @throws ExecutionFinishedError when it ended in another way.
   * @throws ExecutionChangedError when it went on faster than it could be cancelled.
   */
  async cancel(execution: Execution, reason: string | null, isSwept = false): Promise<Execution> {
    let current = execution;
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      if (current.progress.status === 'cancelled') return current;
      if (hasEnded(current)) throw new ExecutionFinishedError(current.progress.status);
      const state = await this.states.currentState(current.id, current.progress.lastSequence);
      if (state.sequence === current.progress.lastSequence) {
        const event = cancelled(current.progress.nodesTotal, state, this.clock.now(), reason);
        const writes = [this.inbox.empty(current.id), ...(isSwept ? [] : this.endWrites(current, state))];
        try {
          const along = { writes, born: [], isOrphan: isSwept };
          const ended = await this.repository.overrule(current, [event], along);
          // From its second try on somebody held it, from whom it was taken.
          if (tries > 0 || current.lease.owner !== null) this.inbox.tellOfCancelled(current.id);
          if (!isSwept) await this.afterEnd(ended, state);
          return ended;
        } catch (error) {
          if (!(error instanceof ExecutionChangedError)) throw error;
        }
      }
      // A journal takes its time to be read, and its holder writes on meanwhile: it is stopped first.
      await this.repository.takeAway(current.id, isoTime(this.clock.now() + TAKEN_MS));
      current = (await this.repository.findWhole(current.id)) ?? current;
    }
    throw new ExecutionChangedError();
  }

  /**
   * Cancels an execution and waits a moment for its descendants to end, too.
   * @throws ExecutionFinishedError; ExecutionChangedError.
   */
  async cancelTree(execution: Execution, reason: string | null): Promise<Execution> {
    const ended = await this.cancel(execution, reason);
    await this.sweeper.settled(this.jobs.ofTree(ended), TREE_WAIT_MS);
    return ended;
  }

  /** What the commit of an execution's end writes, so that its descendants end whatever dies. */
  endWrites(execution: Execution, state: ExecutionState): readonly Write[] {
    return awaitedChildren(state).length === 0 ? [] : [this.jobs.insert(this.jobs.ofTree(execution))];
  }

  /** What the end of an execution means for others: its parent goes on, its unfinished descendants do not. */
  async afterEnd(execution: Execution, state: ExecutionState): Promise<void> {
    if (awaitedChildren(state).length > 0) void this.sweeper.begin(this.jobs.ofTree(execution));
    if (execution.parentId !== null) await this.inbox.wake(execution.parentId);
  }

  /**
   * Cancels an execution where one above it has ended: it is not to go on until a job comes to it.
   * @returns whether one has
   */
  async cancelBelowEnded({ id, parentId }: Execution): Promise<boolean> {
    if (parentId === null) return false;
    const ancestor = await this.endedAncestors.find(id);
    if (ancestor === undefined) return false;
    const reason = `The execution ${ancestor} above it has ended.`;
    await this.cancelChild(id, ancestor === parentId ? hasEndedReason(parentId) : reason);
    return true;
  }

  /** Cancels a child that nobody waits for any more; one that has ended by itself is no fault. */
  async cancelChild(childId: string, reason: string, isSwept = false): Promise<void> {
    const child = await this.repository.findWhole(childId);
    if (child === undefined || hasEnded(child)) return;
    try {
      await this.cancel(child, reason, isSwept);
    } catch (error) {
      if (!(error instanceof ExecutionFinishedError)) throw error;
    }
  }
}
