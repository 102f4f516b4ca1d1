import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { CLOCK, type Clock, isoTime, setAlarm } from '../platform/index.js';
import type { Write } from '../storage/index.js';
import { WorkflowsService } from '../workflows/index.js';
import { Dispatcher } from '../execution-runner/index.js';
import { type Execution, ExecutionRepository } from '../execution-store/index.js';
import {
  AdmissionRepository,
  freeSlots,
  type Gates,
  type ParkedReason,
  placeIn,
} from '../admission/index.js';

/**
 * Interval in milliseconds between polls for free slots. A poll finds slots that became free because a process crashed.
 */
const POLL_INTERVAL_MS = 5_000;

/** Maximum number of executions that one round of the admission admits. */
const BATCH = 50;

/**
 * Maximum number of rounds in which another process takes a slot first. After the last such round, the
 * admission waits for the next poll.
 */
const MAX_REFUSALS = 20;

/**
 * Delay in milliseconds from the start of the process to its first poll. By then, the process has usually registered as
 * an instance and can claim the executions that the poll admits.
 */
const FIRST_POLL_MS = 1_000;

export interface EnteredPlace {
  readonly write: Write;
  /** Why the execution waits for admission. Null if the execution is admitted or waits only for its due time. */
  readonly parked: ParkedReason | null;
  readonly isAdmitted: boolean;
}

/**
 * Enforces `max_running` of workflows and the order of executions in serial sessions. Unique indexes of the database
 * ensure that a slot belongs to only one execution.
 */
@Injectable()
export class Admission implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(Admission.name);
  private timer: { readonly at: number; readonly cancel: () => void } | null = null;
  private stopped = false;
  private admitting: Promise<void> = Promise.resolve();

  constructor(
    @Inject(AdmissionRepository)
    private readonly places: Pick<
      AdmissionRepository,
      'admit' | 'entering' | 'line' | 'nextDueAt' | 'ofSession' | 'ofWorkflow' | 'taken' | 'waitedFor'
    >,
    @Inject(WorkflowsService) private readonly workflows: Pick<WorkflowsService, 'find'>,
    @Inject(Dispatcher) private readonly dispatcher: Pick<Dispatcher, 'wake'>,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(ExecutionRepository) executions: Pick<ExecutionRepository, 'onSlotReleased'>,
  ) {
    executions.onSlotReleased(({ workflowId, sessionId }) => this.admitWaiting({ workflowId, sessionId }));
  }

  onApplicationBootstrap(): void {
    this.pollAt(Infinity, FIRST_POLL_MS);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    this.timer?.cancel();
    await this.admitting;
  }

  /**
   * Finds a slot or a queue position for a new execution. The caller must commit the returned write together with the
   * execution.
   *
   * @param mustWait true to queue the execution even if a slot is free
   */
  async enter(execution: Execution, gates: Gates, dueAt: string, mustWait: boolean): Promise<EnteredPlace> {
    const { id: executionId, priority } = execution;
    const now = this.clock.now();
    const isDue = Date.parse(dueAt) <= now;
    const place =
      isDue && !mustWait
        ? placeIn(await this.places.line(gates, isoTime(now)), await this.capOf(gates.workflowId))
        : null;
    const slot = place !== null && typeof place === 'object' ? place.slot : null;
    return {
      write: this.places.entering({ executionId, ...gates, priority, dueAt, slot }),
      parked: typeof place === 'string' ? place : null,
      isAdmitted: slot !== null,
    };
  }

  /**
   * Admits queued executions after the commit of a queue entry, because a slot may have become free during the commit.
   */
  entered(gates: Gates, dueAt: string): void {
    const at = Date.parse(dueAt);
    if (at > this.clock.now()) this.pollAt(at);
    else this.admitWaiting(gates);
  }

  private admitWaiting({ workflowId, sessionId }: Gates): void {
    this.inTurn(async () => {
      if (workflowId !== null) await this.admitForWorkflow(workflowId);
      if (sessionId !== null) await this.admitForSession(sessionId);
    });
  }

  private poll(): void {
    this.inTurn(async () => {
      const now = this.clock.now();
      const { workflowIds, sessionIds } = await this.places.waitedFor(isoTime(now));
      for (const id of workflowIds) await this.admitForWorkflow(id);
      for (const id of sessionIds) await this.admitForSession(id);
      const next = await this.places.nextDueAt(isoTime(now));
      if (next !== null) this.pollAt(Date.parse(next));
    });
  }

  private async admitForWorkflow(workflowId: string): Promise<void> {
    for (let refusals = 0; refusals < MAX_REFUSALS && !this.stopped;) {
      const cap = await this.capOf(workflowId);
      const free = freeSlots(cap, await this.places.taken(workflowId), BATCH);
      if (free.length === 0) return;
      const now = isoTime(this.clock.now());
      const candidates = await this.places.ofWorkflow(workflowId, now, free.length);
      const admitted = await Promise.all(
        candidates.map(({ executionId }, index) => this.places.admit(executionId, free[index] ?? 0, now)),
      );
      if (admitted.includes(true)) this.dispatcher.wake();
      if (admitted.includes(false)) refusals += 1;
      else if (candidates.length < free.length) return;
    }
  }

  private async admitForSession(sessionId: string): Promise<void> {
    const now = isoTime(this.clock.now());
    const candidate = await this.places.ofSession(sessionId, now);
    if (candidate === undefined) return;
    if (candidate.workflowId !== null) return this.admitForWorkflow(candidate.workflowId);
    if (await this.places.admit(candidate.executionId, 0, now)) this.dispatcher.wake();
  }

  /** Returns the current `max_running` of a workflow. Null means that the workflow has no limit. */
  private async capOf(workflowId: string | null): Promise<number | null> {
    if (workflowId === null) return null;
    return (await this.workflows.find(workflowId))?.definition.config.max_running ?? null;
  }

  private inTurn(work: () => Promise<void>): void {
    if (this.stopped) return;
    const unlessStopped = async (): Promise<void> => (this.stopped ? undefined : work());
    this.admitting = this.admitting.then(unlessStopped).catch((error: unknown) => {
      this.logger.error({ err: error }, 'Queued executions could not be admitted; trying again.');
    });
  }

  /**
   * Plans the next poll for free slots.
   *
   * @param at time of the poll in epoch milliseconds; the poll runs after `atMostMs` milliseconds at the latest
   */
  private pollAt(at: number, atMostMs = POLL_INTERVAL_MS): void {
    if (this.stopped || (this.timer !== null && this.timer.at <= at)) return;
    this.timer?.cancel();
    const cancel = setAlarm(this.clock, { at, atMostMs }, () => {
      this.timer = null;
      this.poll();
      this.pollAt(at > this.clock.now() ? at : Infinity);
    });
    this.timer = { at, cancel };
  }
}
