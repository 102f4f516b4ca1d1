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

/** Cancellation reason of a child whose parent has ended. */
export function hasEndedReason(parentId: string): string {
  return `Its parent ${parentId} has ended.`;
}

/** Maximum number of tries of a cancellation; it is retried when the execution advanced meanwhile. */
const MAX_TRIES = 20;

/**
 * Time during which a lease revoked for cancellation cannot be claimed, in milliseconds: enough to read any journal.
 * Afterwards the execution resumes if the cancelling process has died.
 */
const TAKEN_MS = 30_000;

/**
 * Maximum wait of a tree's cancellation for the descendants, in milliseconds. Small trees end within it; the rest of a
 * large one ends in the background.
 */
const TREE_WAIT_MS = 250;

/** Cancels the descendants of ended executions in the background. */
export interface TreeSweeper {
  /** @returns a promise that resolves when they have ended; never rejects */
  begin(job: CancellationJob): Promise<void>;
  /** Resolves when the job is done, or after `ms` milliseconds. */
  settled(job: CancellationJob, ms: number): Promise<void>;
}

/** Cancels executions whichever process runs them: it appends the end to the journal and fences the lease holder. */
@Injectable()
export class Cancellation {
  private sweeper: TreeSweeper = { begin: () => Promise.resolve(), settled: () => Promise.resolve() };

  private readonly endedAncestors = new BatchLoader((ids) => this.jobs.endedAncestors(ids));

  constructor(
    @Inject(ExecutionRepository)
    private readonly repository: Pick<ExecutionRepository, 'findWhole' | 'forceAppend' | 'revokeLease'>,
    @Inject(CheckpointRepository)
    private readonly states: Pick<CheckpointRepository, 'currentState'>,
    @Inject(Inbox) private readonly inbox: Pick<Inbox, 'empty' | 'tellOfCancelled' | 'wake'>,
    @Inject(CancellationJobRepository)
    private readonly jobs: Pick<CancellationJobRepository, 'endedAncestors' | 'insert' | 'ofTree'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Sets the sweeper that cancels the descendants of ended executions. */
  sweepWith(sweeper: TreeSweeper): void {
    this.sweeper = sweeper;
  }

  /**
   * Cancels an execution and aborts its running nodes. After this commit no descendant starts; existing ones are
   * cancelled in the background. Has no effect if the execution is already cancelled.
   * @param isSwept true if a job already cancels the descendants and the parent has ended
   * @throws ExecutionFinishedError when it ended in another way.
   * @throws ExecutionChangedError when it kept advancing through all tries.
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
          // A second try means that another process held the lease, which was then revoked.
          if (tries > 0 || current.lease.owner !== null) this.inbox.tellOfCancelled(current.id);
          if (!isSwept) await this.afterEnd(ended, state);
          return ended;
        } catch (error) {
          if (!(error instanceof ExecutionChangedError)) throw error;
        }
      }
      // Reading a journal takes time, during which the holder keeps appending. So its lease is revoked first.
      await this.repository.revokeLease(current.id, isoTime(this.clock.now() + TAKEN_MS));
      current = (await this.repository.findWhole(current.id)) ?? current;
    }
    throw new ExecutionChangedError();
  }

  /**
   * Cancels an execution and waits up to 250 ms for its descendants to end.
   * @throws ExecutionFinishedError; ExecutionChangedError.
   */
  async cancelTree(execution: Execution, reason: string | null): Promise<Execution> {
    const ended = await this.cancel(execution, reason);
    await this.sweeper.settled(this.jobs.ofTree(ended), TREE_WAIT_MS);
    return ended;
  }

  /**
   * Writes for the commit of an execution's end. They ensure that its descendants are cancelled even if this process
   * dies.
   */
  endWrites(execution: Execution, state: ExecutionState): readonly Write[] {
    return awaitedChildren(state).length === 0 ? [] : [this.jobs.insert(this.jobs.ofTree(execution))];
  }

  /** Handles the effects of an execution's end: wakes its parent and cancels its unfinished descendants. */
  async afterEnd(execution: Execution, state: ExecutionState): Promise<void> {
    if (awaitedChildren(state).length > 0) void this.sweeper.begin(this.jobs.ofTree(execution));
    if (execution.parentId !== null) await this.inbox.wake(execution.parentId);
  }

  /**
   * Cancels an execution with an ended ancestor, so that it does not continue until a job reaches it.
   * @returns whether an ancestor has ended
   */
  async cancelBelowEnded({ id, parentId }: Execution): Promise<boolean> {
    if (parentId === null) return false;
    const ancestor = await this.endedAncestors.find(id);
    if (ancestor === undefined) return false;
    const reason = `The execution ${ancestor} above it has ended.`;
    await this.cancelChild(id, ancestor === parentId ? hasEndedReason(parentId) : reason);
    return true;
  }

  /** Cancels a child whose parent no longer waits for it. Has no effect if the child has ended. */
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
