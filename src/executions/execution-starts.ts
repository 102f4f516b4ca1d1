import { Inject, Injectable } from '@nestjs/common';
import type { JournalEvent } from '../engine/index.js';
import { type Answer, CLOCK, type Clock, Idempotency, type Write } from '../platform/index.js';
import { SessionsService } from '../sessions/index.js';
import { Admission } from './admission/admission.js';
import { leaving, SlotTakenError } from './admission/admission.repository.js';
import { Dispatcher } from './dispatch/dispatcher.js';
import { type Execution, executionAfter, hasEnded } from './execution.js';
import { ExecutionRepository } from './execution.repository.js';
import { preparedExecution, type PreparedExecution, type WantedExecution } from './prepared-execution.js';

/** A new execution as its start is answered, and as it was written: begun, or even ended. */
export interface WrittenExecution {
  readonly answered: Execution;
  readonly written: Execution;
}

/** Times that a new execution tries for a free slot before it stands in line. */
const MAX_TRIES = 3;

/** Writes new executions: into this process where it has room, else for whoever has, or into the line before a gate. */
@Injectable()
export class ExecutionStarts {
  constructor(
    private readonly repository: ExecutionRepository,
    private readonly sessions: SessionsService,
    private readonly admission: Admission,
    private readonly dispatcher: Dispatcher,
    private readonly idempotency: Idempotency,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  prepare(wanted: WantedExecution): PreparedExecution {
    return preparedExecution(wanted, this.clock.now());
  }

  /**
   * Writes a new execution: already held by this process, and begun, where it has room; else for whoever has, or in
   * line. Resolves once that is durable.
   * @param answer the answer to the start, remembered for a repeated request
   * @throws KeyHeldError when its deduplication key is that of another one; SessionClosedError; what its guards throw.
   */
  async write(
    { execution, events, gates, guards }: PreparedExecution,
    answer: (execution: Execution) => Answer,
  ): Promise<WrittenExecution> {
    if (gates.workflowId === null && gates.sessionId === null)
      return this.insert(execution, events, guards, answer);
    const dueAt = execution.progress.runnableAt ?? execution.createdAt;
    for (let tries = 1; ; tries += 1) {
      const place = await this.admission.enter(execution, gates, dueAt, tries > MAX_TRIES);
      try {
        if (place.isAdmitted)
          return await this.insert(
            { ...execution, admission: 'admitted' },
            events,
            [...guards, place.write],
            answer,
          );
        const progress = { ...execution.progress, statusReason: place.parked, runnableAt: null };
        const parked: Execution = { ...execution, admission: 'parked', progress };
        await this.repository.insert(parked, events, [...this.also(parked, answer), ...guards, place.write]);
        this.admission.entered(gates, dueAt);
        return { answered: parked, written: parked };
      } catch (error) {
        if (!(error instanceof SlotTakenError)) throw error;
      }
    }
  }

  private async insert(
    execution: Execution,
    events: readonly JournalEvent[],
    more: readonly Write[],
    answer: (execution: Execution) => Answer,
  ): Promise<WrittenExecution> {
    const at = Date.parse(execution.progress.runnableAt ?? execution.createdAt);
    const also = [...this.also(execution, answer), ...more];
    // A keyed one is not begun before it is written: one that ended at once would pass the index unseen.
    const isLater = at > this.clock.now() || execution.deduplicationKey !== null;
    const slot = isLater ? null : this.dispatcher.reserve();
    if (slot === null) {
      await this.repository.insert(execution, events, also);
      this.dispatcher.wake(at);
      return { answered: execution, written: execution };
    }
    const held = {
      ...execution,
      lease: { owner: slot.owner, epoch: 1 },
      progress: { ...execution.progress, runnableAt: null },
    };
    const written = await slot.open(held, events, async (decided) => {
      const begun = executionAfter(held, decided);
      // What ends at once leaves its place in the same commit.
      const left = begun.admission !== null && hasEnded(begun) ? [leaving(begun.id)] : [];
      await this.repository.insert(begun, [...events, ...decided], [...also, ...left]);
      return begun;
    });
    slot.run();
    return { answered: execution, written };
  }

  private also(execution: Execution, answer: (execution: Execution) => Answer): readonly Write[] {
    const { sessionId, createdAt } = execution;
    return [
      ...this.idempotency.claim(answer(execution)),
      ...(sessionId === null ? [] : [this.sessions.touch(sessionId, createdAt)]),
    ];
  }
}
