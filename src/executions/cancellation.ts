import { Inject, Injectable } from '@nestjs/common';
import { cancelled, fold } from '../engine/index.js';
import { JournalRepository } from '../journal/index.js';
import { CLOCK, type Clock } from '../platform/index.js';
import { type Execution, hasEnded } from './execution.js';
import { ExecutionRepository } from './execution.repository.js';
import { ExecutionChangedError, ExecutionFinishedError } from './executions.errors.js';

/** Times that a cancellation is tried again because the execution went on meanwhile. */
const MAX_TRIES = 20;

/** Ends executions from outside, whoever runs them: the journal decides, and their holder is refused. */
@Injectable()
export class Cancellation {
  constructor(
    private readonly repository: ExecutionRepository,
    private readonly journal: JournalRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Ends an execution where it is; what runs of it is aborted. Cancelling twice is no fault.
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
          return await this.repository.overrule(current, [event]);
        } catch (error) {
          if (!(error instanceof ExecutionChangedError)) throw error;
        }
      }
      current = (await this.repository.findWhole(current.id)) ?? current;
    }
    throw new ExecutionChangedError();
  }
}
