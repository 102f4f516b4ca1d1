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

/** Returns the reason with which a child is cancelled because its parent has ended. */
export function hasEndedReason(parentId: string): string {
  return `Its parent ${parentId} has ended.`;
}

/** Maximum number of tries to cancel an execution. A try fails if another process appends an event in the meantime. */
const MAX_TRIES = 20;

/**
 * Milliseconds for which no process can claim an execution after a cancellation has revoked its lease. If the
 * cancelling process crashes first, another process then claims and resumes the execution.
 */
const TAKEN_MS = 30_000;

/**
 * Maximum time in milliseconds for which a request waits for the cancellation of descendants. The remaining descendants
 * are cancelled in the background.
 */
const TREE_WAIT_MS = 250;

/** Cancels the descendants of ended executions in the background. */
export interface TreeSweeper {
  /** @returns a promise that never rejects, and resolves when all executions of the job have ended */
  begin(job: CancellationJob): Promise<void>;
  /** Resolves when all executions of the job have ended, or after `ms` milliseconds. */
  settled(job: CancellationJob, ms: number): Promise<void>;
}

/**
 * Cancels executions, even if another process runs them. The cancellation increments the lease epoch, so that any later
 * write of the other process fails.
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

  /**
   * Sets the service that cancels descendants. As a constructor parameter, the service would cause a circular
   * dependency, because it depends on this class.
   */
  sweepWith(sweeper: TreeSweeper): void {
    this.sweeper = sweeper;
  }

  /**
   * Cancels an execution and aborts its running nodes. The descendants are cancelled in the background. Returns an
   * already cancelled execution unchanged.
   *
   * @param isSwept true if a background job already cancels the descendants
   * @throws ExecutionFinishedError if the execution has ended with another status
   * @throws ExecutionChangedError if another process appended events during every try
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
          const sameCommit = { writes, children: [], isOrphan: isSwept };
          const ended = await this.repository.forceAppend(current, [event], sameCommit);
          // After a failed try, the row has no lease owner, because the try revoked the lease. The process that lost
          // the lease must still abort its running nodes.
          if (tries > 0 || current.lease.owner !== null) this.inbox.notifyCancelled(current.id);
          if (!isSwept) await this.afterEnd(ended, state);
          return ended;
        } catch (error) {
          if (!(error instanceof ExecutionChangedError)) throw error;
        }
      }
      // Revokes the lease before the next read, because the lease owner could otherwise append events after the read.
      await this.repository.revokeLease(current.id, isoTime(this.clock.now() + TAKEN_MS));
      current = (await this.repository.findWhole(current.id)) ?? current;
    }
    throw new ExecutionChangedError();
  }

  /**
   * Cancels an execution and waits up to 250 ms for the cancellation of its descendants.
   *
   * @throws ExecutionFinishedError if the execution has ended with another status
   * @throws ExecutionChangedError if another process appended events during every try
   */
  async cancelTree(execution: Execution, reason: string | null): Promise<Execution> {
    const ended = await this.cancel(execution, reason);
    await this.sweeper.settled(this.jobs.ofTree(ended), TREE_WAIT_MS);
    return ended;
  }

  /**
   * Returns the writes for the commit that ends an execution. The writes store a job that cancels the
   * descendants, so that the job survives a crash of this process.
   */
  endWrites(execution: Execution, state: ExecutionState): readonly Write[] {
    return awaitedChildren(state).length === 0 ? [] : [this.jobs.insert(this.jobs.ofTree(execution))];
  }

  /**
   * Wakes the parent of an ended execution, and starts to cancel the unfinished descendants in the
   * background. The caller must call this method after the commit that ends the execution.
   */
  async afterEnd(execution: Execution, state: ExecutionState): Promise<void> {
    if (awaitedChildren(state).length > 0) void this.sweeper.begin(this.jobs.ofTree(execution));
    if (execution.parentId !== null) await this.inbox.wake(execution.parentId);
  }

  /**
   * Cancels an execution if one of its ancestors has ended.
   *
   * @returns true if an ancestor has ended
   */
  async cancelBelowEnded({ id, parentId }: Execution): Promise<boolean> {
    if (parentId === null) return false;
    const ancestor = await this.endedAncestors.find(id);
    if (ancestor === undefined) return false;
    const reason = `Its ancestor ${ancestor} has ended.`;
    await this.cancelChild(id, ancestor === parentId ? hasEndedReason(parentId) : reason);
    return true;
  }

  /** Cancels a child whose result no execution needs anymore. Does nothing if the child has ended. */
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
