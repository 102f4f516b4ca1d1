import { Inject, Injectable } from '@nestjs/common';
import { awaitedChildren, cancelled, type ExecutionState } from '../engine/index.js';
import { CheckpointRepository } from '../journal/index.js';
import { CLOCK, type Clock, isoTime } from '../platform/index.js';
import { BatchLoader, type Write } from '../storage/index.js';
import { type Execution, hasEnded } from './execution.js';
import { ExecutionRepository } from './execution.repository.js';
import { Inbox } from '../inbox/index.js';
import { ExecutionChangedError, ExecutionFinishedError } from './execution.errors.js';
import {
  type CancellationJob,
  CancellationJobRepository,
} from './cancellation/cancellation-job.repository.js';

/** The reason with which a child is cancelled after its parent has ended. */
export function hasEndedReason(parentId: string): string {
  return `Its parent ${parentId} has ended.`;
}

/**
 * Maximum number of tries of a cancellation. If the execution advances during a try, the cancellation is tried again.
 */
const MAX_TRIES = 20;

/**
 * Milliseconds during which no process can claim an execution whose lease a cancellation revoked. This is long enough
 * to read any journal. If the cancelling process dies, the execution resumes afterwards.
 */
const TAKEN_MS = 30_000;

/**
 * Milliseconds for which the cancellation of a tree waits for the descendants. A small tree ends within this time. In a
 * large tree, the remaining descendants end in the background.
 */
const TREE_WAIT_MS = 250;

/** In the background, cancels the descendants of executions that have ended. */
export interface TreeSweeper {
  /**
   * Starts the job.
   * @returns a promise that resolves when all executions of the job have ended; never rejects
   */
  begin(job: CancellationJob): Promise<void>;
  /** Resolves when the job is done, or after `ms` milliseconds. */
  settled(job: CancellationJob, ms: number): Promise<void>;
}

/**
 * Cancels executions, even if another process runs them: appends the final event to the journal and increments the
 * epoch, so that the process with the lease can write nothing more.
 */
@Injectable()
export class Cancellation {
  private sweeper: TreeSweeper = { begin: () => Promise.resolve(), settled: () => Promise.resolve() };

  private readonly endedAncestors = new BatchLoader((ids) => this.jobs.endedAncestors(ids));

  constructor(
    @Inject(ExecutionRepository)
    private readonly repository: Pick<ExecutionRepository, 'findWhole' | 'forceAppend' | 'revokeLease'>,
    @Inject(CheckpointRepository)
    private readonly states: Pick<CheckpointRepository, 'currentState'>,
    @Inject(Inbox) private readonly inbox: Pick<Inbox, 'empty' | 'notifyCancelled' | 'wake'>,
    @Inject(CancellationJobRepository)
    private readonly jobs: Pick<CancellationJobRepository, 'endedAncestors' | 'insert' | 'ofTree'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Sets the sweeper that cancels the descendants of ended executions. */
  sweepWith(sweeper: TreeSweeper): void {
    this.sweeper = sweeper;
  }

  /**
   * Cancels an execution and aborts its running nodes. After this commit, no descendant can start; descendants that
   * exist are cancelled in the background. Has no effect if the execution is already cancelled.
   * @param isSwept true if a job already cancels the descendants and the parent has ended
   * @throws ExecutionFinishedError if the execution ended in another way.
   * @throws ExecutionChangedError if the execution advanced during every try.
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
          const along = { writes, children: [], isOrphan: isSwept };
          const ended = await this.repository.forceAppend(current, [event], along);
          // After the first try, the lease owner is null, because this method revoked the lease. The run must still be
          // stopped.
          if (tries > 0 || current.lease.owner !== null) this.inbox.notifyCancelled(current.id);
          if (!isSwept) await this.afterEnd(ended, state);
          return ended;
        } catch (error) {
          if (!(error instanceof ExecutionChangedError)) throw error;
        }
      }
      // The process with the lease could append again while the journal is read, so the lease is revoked first.
      await this.repository.revokeLease(current.id, isoTime(this.clock.now() + TAKEN_MS));
      current = (await this.repository.findWhole(current.id)) ?? current;
    }
    throw new ExecutionChangedError();
  }

  /**
   * Cancels an execution and waits up to 250 ms for its descendants to end.
   * @throws ExecutionFinishedError or ExecutionChangedError, as `cancel` does.
   */
  async cancelTree(execution: Execution, reason: string | null): Promise<Execution> {
    const ended = await this.cancel(execution, reason);
    await this.sweeper.settled(this.jobs.ofTree(ended), TREE_WAIT_MS);
    return ended;
  }

  /**
   * Writes for the commit that ends an execution. Because of these writes, the descendants are cancelled even if this
   * process dies.
   */
  endWrites(execution: Execution, state: ExecutionState): readonly Write[] {
    return awaitedChildren(state).length === 0 ? [] : [this.jobs.insert(this.jobs.ofTree(execution))];
  }

  /** Must be called after the end of an execution: wakes its parent and cancels its unfinished descendants. */
  async afterEnd(execution: Execution, state: ExecutionState): Promise<void> {
    if (awaitedChildren(state).length > 0) void this.sweeper.begin(this.jobs.ofTree(execution));
    if (execution.parentId !== null) await this.inbox.wake(execution.parentId);
  }

  /**
   * Cancels an execution if one of its ancestors has ended, so that it does not continue until a job cancels it.
   * @returns whether an ancestor has ended
   */
  async cancelBelowEnded({ id, parentId }: Execution): Promise<boolean> {
    if (parentId === null) return false;
    const ancestor = await this.endedAncestors.find(id);
    if (ancestor === undefined) return false;
    const reason = `Its ancestor ${ancestor} has ended.`;
    await this.cancelChild(id, ancestor === parentId ? hasEndedReason(parentId) : reason);
    return true;
  }

  /** Cancels a child for which its parent no longer waits. Has no effect if the child has ended. */
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
