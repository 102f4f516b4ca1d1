import { Inject, Injectable } from '@nestjs/common';
import { awaitedChildren, cancelled, type ExecutionState, fold } from '../engine/index.js';
import { JournalRepository } from '../journal/index.js';
import { CLOCK, type Clock, isoTime } from '../platform/index.js';
import { type Execution, hasEnded } from './execution.js';
import { ExecutionRepository } from './execution.repository.js';
import { Inbox } from './inbox/inbox.js';
import { ExecutionChangedError, ExecutionFinishedError } from './executions.errors.js';

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

/** Ends executions from outside, whoever runs them: the journal decides, and their holder is refused. */
@Injectable()
export class Cancellation {
  constructor(
    private readonly repository: ExecutionRepository,
    private readonly journal: JournalRepository,
    private readonly inbox: Inbox,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Ends an execution where it is, with the children that it waits for; what runs of it is aborted. Cancelling
   * twice is no fault.
   * @throws ExecutionFinishedError when it ended in another way.
   * @throws ExecutionChangedError when it went on faster than it could be cancelled.
   */
  async cancel(execution: Execution, reason: string | null): Promise<Execution> {
    let current = execution;
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      if (current.progress.status === 'cancelled') return current;
      if (hasEnded(current)) throw new ExecutionFinishedError(current.progress.status);
      const state = fold(await this.journal.whole(current.id, 0));
      if (state.sequence === current.progress.lastSequence) {
        const event = cancelled(current.progress.nodesTotal, state, this.clock.now(), reason);
        try {
          const along = { writes: [this.inbox.empty(current.id)], born: [] };
          const ended = await this.repository.overrule(current, [event], along);
          // From its second try on somebody held it, from whom it was taken.
          if (tries > 0 || current.lease.owner !== null) this.inbox.tellOfCancelled(current.id);
          await this.afterEnd(ended, state);
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
   * What the end of an execution means for others: its parent goes on, its unfinished children do not. What a
   * process that dies here leaves undone, the next look of the recovery does.
   */
  async afterEnd({ id, parentId }: Execution, state: ExecutionState): Promise<void> {
    if (parentId !== null) await this.inbox.wake(parentId);
    for (const childId of awaitedChildren(state)) await this.cancelChild(childId, hasEndedReason(id));
  }

  /** Cancels a child that nobody waits for any more; one that has ended by itself is no fault. */
  async cancelChild(childId: string, reason: string): Promise<void> {
    const child = await this.repository.findWhole(childId);
    if (child === undefined || hasEnded(child)) return;
    try {
      await this.cancel(child, reason);
    } catch (error) {
      if (!(error instanceof ExecutionFinishedError)) throw error;
    }
  }
}
