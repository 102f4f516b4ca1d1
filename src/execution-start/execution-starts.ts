import { ExecutionLimits } from './limits/execution-limits.js';
import {
  OfferedStartsPort,
  type OfferedStarts,
  Dispatcher,
  type Slot,
  type OfferedStart,
  type StartFate,
  StartOffers,
} from '../execution-runner/index.js';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { type Answer, Idempotency, type KeyClaim } from '../idempotency/index.js';
import { CLOCK, type Clock } from '../platform/index.js';
import type { Write } from '../storage/index.js';
import { SessionsService } from '../sessions/index.js';
import { WorkflowsService } from '../workflows/index.js';
import { Admission } from './admission.js';
import {
  leaving,
  SlotTakenError,
  type Execution,
  executionAfter,
  hasEnded,
  ExecutionRepository,
} from '../execution-store/index.js';
import {
  preparedExecution,
  type PreparedExecution,
  queued,
  type WantedExecution,
} from './prepared-execution.js';

/** A new execution as its start is answered, and as this process wrote it or knows it: begun, or even ended. */
export interface WrittenExecution {
  readonly answered: Execution;
  readonly written: Execution;
}

/** A new execution on its way into the database. */
interface Arrival extends Pick<PreparedExecution, 'execution' | 'events' | 'revision'> {
  readonly claim: KeyClaim | null;
  /** Its place before a gate. */
  readonly place: readonly Write[];
}

/** Times that a new execution tries for a free slot before it stands in line. */
const MAX_TRIES = 3;

/** Writes new executions: into this process where it has room, else for whoever has, or into the line before a gate. */
@Injectable()
export class ExecutionStarts implements OfferedStarts {
  private readonly logger = new Logger(ExecutionStarts.name);

  constructor(
    private readonly repository: ExecutionRepository,
    private readonly sessions: SessionsService,
    private readonly workflows: WorkflowsService,
    private readonly admission: Admission,
    private readonly dispatcher: Dispatcher,
    private readonly offers: StartOffers,
    private readonly idempotency: Idempotency,
    private readonly limits: ExecutionLimits,
    @Inject(CLOCK) private readonly clock: Clock,
    port: OfferedStartsPort,
  ) {
    port.connect(this);
  }

  prepare(wanted: WantedExecution): PreparedExecution {
    return preparedExecution(wanted, this.clock.now());
  }

  /**
   * Writes a new execution: already held by this process, and begun, where it has room; else by another one that has;
   * else for whoever has, or in line. Resolves once that is durable.
   * @param answer the answer to the start, remembered for a repeated request
   * @param isReplacement whether it takes the place of one that was cancelled for it: then there is room for it
   * @throws KeyHeldError when its deduplication key is that of another one; SessionClosedError; WorkflowChangedError.
   * @throws TooManyExecutionsError when its project has as many unfinished executions as it may.
   */
  async write(
    prepared: PreparedExecution,
    answer: (execution: Execution) => Answer,
    isReplacement = false,
  ): Promise<WrittenExecution> {
    if (isReplacement) return this.place(prepared, answer);
    const { projectId } = prepared.execution;
    const admission = this.limits.admit(projectId);
    if (admission !== undefined) await admission;
    try {
      return await this.place(prepared, answer);
    } finally {
      this.limits.settle(projectId);
    }
  }

  private async place(
    { execution, events, gates, revision }: PreparedExecution,
    answer: (execution: Execution) => Answer,
  ): Promise<WrittenExecution> {
    const arrival = (arrived: Execution, place: readonly Write[]): Arrival => ({
      execution: arrived,
      events,
      revision,
      claim: this.idempotency.claimFor(answer(arrived)),
      place,
    });
    if (gates.workflowId === null && gates.sessionId === null) return this.insert(arrival(execution, []));
    const dueAt = execution.progress.runnableAt ?? execution.createdAt;
    for (let tries = 1; ; tries += 1) {
      const place = await this.admission.enter(execution, gates, dueAt, tries > MAX_TRIES);
      try {
        if (place.isAdmitted)
          return await this.insert(arrival({ ...execution, admission: 'admitted' }, [place.write]));
        const progress = { ...execution.progress, statusReason: place.parked, runnableAt: null };
        const parked: Execution = { ...execution, admission: 'parked', progress };
        await this.repository.insert(parked, events, this.along(arrival(parked, [place.write])));
        this.admission.entered(gates, dueAt);
        return { answered: parked, written: parked };
      } catch (error) {
        if (!(error instanceof SlotTakenError)) throw error;
      }
    }
  }

  /** Takes what another process offers, where there is room. */
  async take({ execution, revision, claim }: OfferedStart): Promise<StartFate> {
    const slot = this.dispatcher.reserve();
    if (slot === null) return 'full';
    try {
      await this.begin(slot, { execution, events: [queued(execution)], revision, claim, place: [] });
      return 'taken';
    } catch (error) {
      // The other process finds out what is in its way, if it did not write it itself meanwhile.
      this.logger.debug({ err: error, executionId: execution.id }, 'An offered start was not taken.');
      return 'refused';
    }
  }

  private async insert(arrival: Arrival): Promise<WrittenExecution> {
    const { execution } = arrival;
    const at = Date.parse(execution.progress.runnableAt ?? execution.createdAt);
    // A keyed one is not begun before it is written: one that ended at once would pass the index unseen.
    const isLater = at > this.clock.now() || execution.deduplicationKey !== null;
    const slot = isLater ? null : this.dispatcher.reserve();
    if (slot !== null) return { answered: execution, written: await this.begin(slot, arrival) };
    const { revision, claim, events } = arrival;
    // What else would have to be told: a place before a gate, and what a retry takes over.
    const isWhole = arrival.place.length === 0 && events.length === 1;
    const offered = isLater || !isWhole ? null : this.offers.offer({ execution, revision, claim });
    if (offered === null) await this.repository.insert(execution, events, this.along(arrival));
    else if (await offered) return { answered: execution, written: execution };
    else await this.repository.insertUnlessThere(execution, events, this.along(arrival));
    this.dispatcher.wake(at);
    return { answered: execution, written: execution };
  }

  /** Begins it, and writes it as it is then. */
  private async begin(slot: Slot, arrival: Arrival): Promise<Execution> {
    const { execution, events } = arrival;
    const held = {
      ...execution,
      lease: { owner: slot.owner, epoch: 1 },
      progress: { ...execution.progress, runnableAt: null },
    };
    const written = await slot.open(held, events, async (decided, room) => {
      const begun = executionAfter(held, decided);
      // What ends at once leaves its place in the same commit.
      const left = begun.admission !== null && hasEnded(begun) ? [leaving(begun.id)] : [];
      const all = [...events, ...decided];
      const bytes = await this.repository.insert(begun, all, [...this.along(arrival), ...left], room);
      return { ...begun, bytes };
    });
    slot.run();
    return written;
  }

  /** What else its commit is made of. */
  private along({ execution, revision, claim, place }: Arrival): readonly Write[] {
    const { sessionId, workflowId, createdAt } = execution;
    return [
      ...this.idempotency.writes(claim),
      ...(sessionId === null ? [] : [this.sessions.touch(sessionId, createdAt)]),
      ...(revision === null ? [] : [this.workflows.unchanged(workflowId, revision)]),
      ...place,
    ];
  }
}
