import { Inject, Injectable } from '@nestjs/common';
import { ServiceError } from '../errors/index.js';
import { TriggeredStarts } from '../execution-start/index.js';
import {
  Cancellation,
  type Execution,
  ExecutionFinishedError,
  ExecutionLookupRepository,
  KeyHeldError,
} from '../execution-store/index.js';
import { CLOCK, type Clock, isoTime, newId } from '../platform/index.js';
import { ProjectsService } from '../projects/index.js';
import { type Write, Writer } from '../storage/index.js';
import { type Workflow, WorkflowsService } from '../workflows/index.js';
import type { Backfill } from './backfill.js';
import { BackfillsRepository } from './backfills.repository.js';
import { decide, instantsWithin } from './decision.js';
import { FiresRepository } from './fires.repository.js';
import { type Fire, keyPrefix, type Schedule, stateAt } from './schedule.js';
import { SchedulesRepository, type ScheduleState } from './schedules.repository.js';

/**
 * Maximum number of unfinished executions to cancel per start of a schedule with the overlap setting `cancel_previous`.
 */
const MAX_CANCELLED = 100;
/**
 * Divisor for the poll interval of a schedule that waits for an earlier execution. The interval is the time waited so
 * far divided by 10, from 1 s to 60 s.
 */
const WAIT_SHARE = 10;
const MIN_WAIT_MS = 1_000;
const MAX_WAIT_MS = 60_000;
/** Lowest HTTP status of a server error. A start that failed with a server error is retried. */
const MIN_SERVER_ERROR_STATUS = 500;

/** A scheduled time of a schedule or backfill, for which an execution should start. */
interface Instant {
  readonly schedule: Schedule;
  /** ISO 8601. */
  readonly scheduledFor: string;
  /**
   * Returns the writes that move the schedule or backfill to its next scheduled time and update its counters. The
   * commit of the new execution includes these writes.
   */
  readonly moveOn: (fire: Fire) => readonly Write[];
}

type FireResult = Pick<Fire, 'outcome' | 'reason' | 'executionId'>;

/**
 * Starts executions for the scheduled times of schedules and backfills. Each scheduled time starts at most one
 * execution.
 */
@Injectable()
export class InstantFiring {
  constructor(
    private readonly schedules: SchedulesRepository,
    private readonly backfills: BackfillsRepository,
    private readonly fires: FiresRepository,
    private readonly starts: TriggeredStarts,
    private readonly workflows: WorkflowsService,
    private readonly projects: ProjectsService,
    private readonly executions: ExecutionLookupRepository,
    private readonly cancellation: Cancellation,
    private readonly writer: Writer,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Handles the next scheduled time of an active schedule.
   *
   * @returns milliseconds between the due time and the start of the execution; null if no execution started
   * @throws InstantTakenError when another process handled the scheduled time first
   */
  async fire(schedule: Schedule): Promise<number | null> {
    const now = this.clock.now();
    const decision = decide(schedule, now, await this.isRunning(schedule));
    switch (decision.kind) {
      case 'sleep':
        return null;
      case 'wait':
        await this.wait(schedule, now);
        return null;
      case 'miss': {
        const { instant, count, next } = decision;
        const reason = `${count} ${count === 1 ? 'scheduled time was' : 'scheduled times were'} older than catch_up_seconds (${schedule.catchUpSeconds}) when the service started again.`;
        const fire = this.fireOf(schedule, isoTime(instant), skipped(reason));
        await this.commit(fire, [
          this.schedules.advance(schedule, stateAt(schedule, next), fire, { skipped: count }),
        ]);
        return null;
      }
      case 'skip': {
        const { instant, next } = decision;
        const fire = this.fireOf(
          schedule,
          isoTime(instant),
          skipped('The previous execution has not ended.'),
        );
        await this.commit(fire, [
          this.schedules.advance(schedule, stateAt(schedule, next), fire, { skipped: 1 }),
        ]);
        return null;
      }
      case 'start': {
        const { instant, next, cancels } = decision;
        if (cancels) await this.cancelPrevious(schedule);
        const state = this.keepWaitedUntil(schedule, stateAt(schedule, next));
        const fire = await this.start({
          schedule,
          scheduledFor: isoTime(instant),
          moveOn: (made) => [this.schedules.advance(schedule, state, made, countedOf(made))],
        });
        if (fire.outcome !== 'started' || schedule.dueAt === null) return null;
        return this.clock.now() - Date.parse(schedule.dueAt);
      }
    }
  }

  /**
   * Handles the next scheduled time of a backfill.
   *
   * @returns the changed backfill if its following scheduled time is due at once; undefined if the backfill waits or
   * has finished
   * @throws InstantTakenError when another process handled the scheduled time first
   */
  async fireBackfill(backfill: Backfill): Promise<Backfill | undefined> {
    const schedule = await this.schedules.find(backfill.scheduleId);
    const now = this.clock.now();
    if (schedule === undefined) {
      await this.writer.commit({ writes: [this.backfills.advance(backfill, null, isoTime(now))] });
      return undefined;
    }
    const { overlap, nextAt, until, timing } = backfill;
    const following = instantsWithin(timing).next(Date.parse(nextAt));
    const next = following === null || following > Date.parse(until) ? null : isoTime(following);
    const isBlocked = overlap !== 'allow' && (await this.isRunning({ ...schedule, overlap }));
    if (isBlocked && overlap === 'queue') {
      const dueAt = isoTime(now + MIN_WAIT_MS);
      await this.writer.commit({ writes: [this.backfills.postponement(backfill, dueAt)] });
      return undefined;
    }
    const moveOn = (fire: Fire): readonly Write[] => [
      this.backfills.advance(backfill, next, isoTime(now)),
      this.schedules.count(schedule.id, fire, countedOf(fire)),
    ];
    if (isBlocked && overlap === 'skip') {
      const fire = this.fireOf(schedule, nextAt, skipped('The previous execution has not ended.'));
      await this.commit(fire, moveOn(fire));
    } else {
      if (isBlocked) await this.cancelPrevious(schedule);
      await this.start({ schedule, scheduledFor: nextAt, moveOn });
    }
    return next === null
      ? undefined
      : { ...backfill, nextAt: next, dueAt: isoTime(now), done: backfill.done + 1 };
  }

  /**
   * Starts an execution of a schedule at once, independently of its scheduled times.
   *
   * @throws ServiceError when the workflow cannot be started
   */
  async trigger(schedule: Schedule, workflow: Workflow): Promise<Execution> {
    const scheduledFor = isoTime(this.clock.now());
    return this.startExecution(
      {
        schedule,
        scheduledFor,
        moveOn: (fire) => [this.schedules.count(schedule.id, fire, countedOf(fire))],
      },
      workflow,
      null,
    );
  }

  /**
   * Starts an execution for a scheduled time. If the start is refused, records the reason as the outcome of the
   * scheduled time.
   */
  private async start(instant: Instant): Promise<FireResult> {
    const { schedule, scheduledFor } = instant;
    const workflow = await this.workflows.find(schedule.workflowId);
    if (workflow === undefined || (await this.projects.find(schedule.projectId)) === null)
      return this.end(schedule);
    try {
      const key = `${keyPrefix(schedule.id)}${scheduledFor}`;
      const { id } = await this.startExecution(instant, workflow, key);
      return { outcome: 'started', reason: null, executionId: id };
    } catch (error) {
      const result = refusal(error);
      if (result === undefined) throw error;
      const fire = this.fireOf(schedule, scheduledFor, result);
      await this.commit(fire, instant.moveOn(fire));
      return result;
    }
  }

  private startExecution(
    { schedule, scheduledFor, moveOn }: Instant,
    workflow: Workflow,
    deduplicationKey: string | null,
  ): Promise<Execution> {
    return this.starts.start({
      workflow,
      trigger: { type: 'schedule', id: schedule.id },
      input: schedule.input,
      metadata: schedule.metadata,
      priority: schedule.priority,
      deduplicationKey,
      scheduledFor,
      sameCommit: (executionId) => {
        const fire = this.fireOf(schedule, scheduledFor, { outcome: 'started', reason: null, executionId });
        return [...moveOn(fire), this.fires.insertion(fire)];
      },
    });
  }

  /** Ends a schedule whose workflow or project was deleted. */
  private async end(schedule: Schedule): Promise<FireResult> {
    const result = { outcome: 'failed', reason: 'The workflow was deleted.', executionId: null } as const;
    const fire = this.fireOf(schedule, schedule.nextAt ?? isoTime(this.clock.now()), result);
    await this.commit(fire, [
      this.backfills.deletionOf(schedule.id),
      ...(schedule.nextAt === null
        ? []
        : [this.schedules.advance(schedule, stateAt(schedule, null), fire, {})]),
    ]);
    return result;
  }

  private wait(schedule: Schedule, now: number): Promise<void> {
    const waited = now - Date.parse(schedule.nextAt ?? isoTime(now));
    const dueAt = isoTime(now + Math.min(MAX_WAIT_MS, Math.max(MIN_WAIT_MS, waited / WAIT_SHARE)));
    const state = { status: 'active', nextAt: schedule.nextAt, dueAt, waitedUntil: dueAt } as const;
    return this.writer.commit({ writes: [this.schedules.advance(schedule, state, null, {})] });
  }

  /**
   * A schedule may wait for an earlier execution while further scheduled times pass. Keeps `waitedUntil` in the new
   * state if the next scheduled time passed during the wait. That scheduled time then fires instead of being skipped as
   * missed.
   */
  private keepWaitedUntil({ waitedUntil }: Schedule, state: ScheduleState): ScheduleState {
    const isBehind = waitedUntil !== null && state.nextAt !== null && state.nextAt < waitedUntil;
    return isBehind ? { ...state, waitedUntil } : state;
  }

  private async isRunning({ id, workflowId, overlap }: Schedule): Promise<boolean> {
    if (overlap === 'allow') return false;
    return (await this.executions.unfinishedByKeyPrefix(workflowId, keyPrefix(id), 1)).length > 0;
  }

  private async cancelPrevious({ id, workflowId }: Schedule): Promise<void> {
    const previous = await this.executions.unfinishedByKeyPrefix(workflowId, keyPrefix(id), MAX_CANCELLED);
    for (const execution of previous)
      try {
        await this.cancellation.cancelTree(execution, 'The next scheduled time of its schedule is due.');
      } catch (error) {
        if (!(error instanceof ExecutionFinishedError)) throw error;
      }
  }

  private fireOf({ id }: Schedule, scheduledFor: string, result: FireResult): Fire {
    return { id: newId(), scheduleId: id, scheduledFor, firedAt: isoTime(this.clock.now()), ...result };
  }

  private commit(fire: Fire, writes: readonly Write[]): Promise<void> {
    return this.writer.commit({ writes: [...writes, this.fires.insertion(fire)] });
  }
}

function skipped(reason: string): FireResult {
  return { outcome: 'skipped', reason, executionId: null };
}

/**
 * Returns the outcome of a start that was refused; undefined for an internal error, after which the start is retried.
 */
function refusal(error: unknown): FireResult | undefined {
  if (error instanceof KeyHeldError)
    return skipped('The execution of an earlier scheduled time has not ended.');
  if (!(error instanceof ServiceError) || error.status >= MIN_SERVER_ERROR_STATUS) return undefined;
  return { outcome: 'failed', reason: `${error.code}: ${error.message}`, executionId: null };
}

function countedOf({ outcome }: FireResult): { readonly fired: number; readonly skipped: number } {
  return { fired: outcome === 'started' ? 1 : 0, skipped: outcome === 'skipped' ? 1 : 0 };
}
