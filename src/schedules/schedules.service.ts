import { Inject, Injectable } from '@nestjs/common';
import type { Principal } from '../access/index.js';
import { AuditTrail, type ResourceStates } from '../audit/index.js';
import { ConflictError, ValidationError } from '../errors/index.js';
import { StartChecks } from '../execution-start/index.js';
import type { Execution } from '../execution-store/index.js';
import type { IdPlace, PageRows } from '../pages/index.js';
import { changeTime, CLOCK, type Clock, isoTime, newId } from '../platform/index.js';
import { ProjectsService } from '../projects/index.js';
import type { Write } from '../storage/index.js';
import { type Workflow, WorkflowsService } from '../workflows/index.js';
import type { Backfill } from './backfill.js';
import { BackfillsRepository } from './backfills.repository.js';
import { instantsWithin } from './decision.js';
import { FiresRepository } from './fires.repository.js';
import { InstantFiring } from './instant-firing.js';
import { CronExpressionError, type Instants, instantsBetween } from './instants.js';
import { type Fire, type Overlap, type Schedule, type ScheduleTiming, stateAt } from './schedule.js';
import { ScheduleRunner } from './schedule-runner.js';
import { type ScheduleFilter, SchedulesRepository } from './schedules.repository.js';
import { BackfillNotFoundError, ScheduleEndedError, ScheduleNotFoundError } from './schedules.errors.js';

export const MAX_BACKFILLED = 10_000;

/**
 * Fields of a schedule in a request. For a new schedule, omitted fields get defaults. For a change, omitted fields keep
 * their values.
 */
export type ScheduleInput = Partial<
  Pick<
    Schedule,
    | keyof ScheduleTiming
    | 'name'
    | 'timeZone'
    | 'input'
    | 'metadata'
    | 'priority'
    | 'overlap'
    | 'catchUpSeconds'
    | 'jitterSeconds'
    | 'startsAt'
    | 'endsAt'
  >
>;

/** Range of the scheduled times to backfill, in ISO 8601. The range includes both `from` and `to`. */
export interface BackfillRequest {
  readonly from: string;
  readonly to: string;
  /** Overlap setting of the backfill. Default: `allow`, so that every scheduled time starts an execution. */
  readonly overlap?: Overlap;
}

const DEFAULTS = {
  name: '',
  cron: null,
  everySeconds: null,
  at: null,
  timeZone: 'UTC',
  input: null,
  metadata: {},
  priority: 5,
  overlap: 'skip',
  catchUpSeconds: 3_600,
  jitterSeconds: 0,
  startsAt: null,
  endsAt: null,
} as const;

const TIMING_FIELDS = [
  'cron',
  'everySeconds',
  'at',
  'timeZone',
  'jitterSeconds',
  'startsAt',
  'endsAt',
] as const;

@Injectable()
export class SchedulesService {
  constructor(
    private readonly repository: SchedulesRepository,
    private readonly backfills: BackfillsRepository,
    private readonly fireLog: FiresRepository,
    private readonly firing: InstantFiring,
    private readonly runner: ScheduleRunner,
    private readonly projects: ProjectsService,
    private readonly workflows: WorkflowsService,
    private readonly checks: StartChecks,
    private readonly audit: AuditTrail,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * @throws WorkflowNotFoundError; ProjectOutOfReachError.
   *
   * @throws ValidationError when the timing has no scheduled time, or the input violates the workflow's schema.
   */
  async create(principal: Principal, workflowId: string, input: ScheduleInput): Promise<Schedule> {
    const workflow = await this.workflows.read(principal, workflowId);
    const now = this.clock.now();
    const id = newId();
    const given: Schedule = {
      ...DEFAULTS,
      ...input,
      ...{ id, projectId: workflow.projectId, workflowId: workflow.id },
      ...stateAt({ id, jitterSeconds: 0 }, null),
      ...{ lastFire: null, firedTotal: 0, skippedTotal: 0, revision: 1 },
      ...{ createdAt: isoTime(now), updatedAt: isoTime(now) },
    };
    const schedule = { ...given, ...this.initialState(given, now) };
    await this.requireInput(workflow, schedule);
    const write = this.repository.insertion(schedule);
    await this.commit(principal, 'schedule.created', { after: schedule }, [write], id);
    return schedule;
  }

  /** @throws ScheduleNotFoundError; ProjectOutOfReachError. */
  async read(principal: Principal, id: string): Promise<Schedule> {
    const schedule = await this.repository.find(id);
    if (schedule === undefined) throw new ScheduleNotFoundError(id);
    await this.projects.reach(principal, schedule.projectId);
    return schedule;
  }

  async list(
    principal: Principal,
    filter: Omit<ScheduleFilter, 'projectIds'> & { readonly projectId?: string },
    place: IdPlace,
  ): Promise<PageRows<Schedule>> {
    const { projectId, ...rest } = filter;
    const projectIds = await this.projects.idsWithin(principal, projectId);
    return this.repository.list({ ...rest, projectIds }, place);
  }

  /**
   * Changes a schedule. Setting one of `cron`, `everySeconds` and `at` clears the other two. New scheduled times make
   * an ended schedule active again.
   *
   * @throws ValidationError; ScheduleChangedError.
   */
  async change(principal: Principal, current: Schedule, input: ScheduleInput): Promise<Schedule> {
    const now = this.clock.now();
    const changes = { ...otherTimings(input), ...input, updatedAt: changeTime(current.updatedAt, now) };
    const next: Schedule = { ...current, ...changes, revision: current.revision + 1 };
    const isRetimed = TIMING_FIELDS.some((field) => next[field] !== current[field]);
    if (input.input !== undefined) await this.requireInput(await this.workflowOf(current), next);
    const retimed = isRetimed ? this.initialState(next, now) : {};
    const state = current.status === 'paused' ? {} : retimed;
    const after = { ...next, ...state };
    await this.commit(principal, 'schedule.updated', { before: current, after }, [
      this.repository.change(current.id, current.revision, { ...changes, ...state }),
    ]);
    return after;
  }

  /** @throws ScheduleChangedError */
  async delete(principal: Principal, schedule: Schedule): Promise<void> {
    await this.commit(principal, 'schedule.deleted', { before: schedule }, [
      this.repository.deletion(schedule.id, schedule.revision),
      this.backfills.deletionOf(schedule.id),
      this.fireLog.deletionOf(schedule.id),
    ]);
  }

  /**
   * Pauses a schedule. A schedule that is already paused stays unchanged.
   *
   * @throws ScheduleEndedError; ScheduleChangedError.
   */
  pause(principal: Principal, schedule: Schedule): Promise<Schedule> {
    const state = { status: 'paused', nextAt: null, dueAt: null, waitedUntil: null } as const;
    return this.setState(principal, schedule, 'paused', state);
  }

  /**
   * Resumes a paused schedule. Scheduled times that passed during the pause do not fire.
   *
   * @throws ScheduleEndedError; ScheduleChangedError.
   */
  resume(principal: Principal, schedule: Schedule): Promise<Schedule> {
    const next = this.instantsOf(schedule).next(this.clock.now());
    return this.setState(principal, schedule, 'resumed', stateAt(schedule, next));
  }

  /**
   * Starts an execution of a schedule now, independently of its status and its overlap setting.
   *
   * @throws WorkflowNotActiveError; ValidationError; TooManyExecutionsError.
   */
  async trigger(principal: Principal, schedule: Schedule): Promise<Execution> {
    return this.firing.trigger(schedule, await this.workflows.read(principal, schedule.workflowId));
  }

  /**
   * Creates a backfill, which starts executions for past scheduled times in the background.
   *
   * @throws ValidationError when the time range contains more than 10,000 scheduled times, is reversed or ends in the
   * future
   */
  async backfill(
    principal: Principal,
    schedule: Schedule,
    { from, to, overlap = 'allow' }: BackfillRequest,
  ): Promise<Backfill> {
    const [first, last, now] = [Date.parse(from), Date.parse(to), this.clock.now()];
    if (last < first) throw ValidationError.of('to', 'before_from', 'must not be before from');
    if (last > now) throw ValidationError.of('to', 'in_future', 'must not be in the future');
    const instants = instantsBetween(this.instantsOf(schedule), first - 1, last, MAX_BACKFILLED + 1);
    if (instants.length > MAX_BACKFILLED)
      throw ValidationError.of(
        'to',
        'too_many_instants',
        `must be earlier, because a backfill has at most ${MAX_BACKFILLED} scheduled times`,
      );
    const [earliest] = instants;
    const { id, cron, everySeconds, at, timeZone, startsAt, endsAt } = schedule;
    const backfill: Backfill = {
      id: newId(),
      scheduleId: id,
      timing: { cron, everySeconds, at, timeZone, startsAt, endsAt },
      overlap,
      since: isoTime(first),
      until: isoTime(last),
      nextAt: isoTime(earliest ?? last),
      dueAt: earliest === undefined ? null : isoTime(now),
      instants: instants.length,
      done: 0,
      createdAt: isoTime(now),
      finishedAt: earliest === undefined ? isoTime(now) : null,
    };
    const write = this.backfills.insertion(backfill);
    await this.commit(principal, 'schedule.backfilled', { after: schedule }, [write], backfill.id);
    return backfill;
  }

  /** @throws BackfillNotFoundError */
  async backfillOf({ id }: Schedule, backfillId: string): Promise<Backfill> {
    const backfill = await this.backfills.find(id, backfillId);
    if (backfill === undefined) throw new BackfillNotFoundError(backfillId);
    return backfill;
  }

  backfillsOf({ id }: Schedule, place: IdPlace): Promise<PageRows<Backfill>> {
    return this.backfills.list(id, place);
  }

  /** Returns the next scheduled times of a schedule in epoch milliseconds, even if the schedule is paused. */
  upcoming(schedule: Schedule, count: number): readonly number[] {
    return instantsBetween(this.instantsOf(schedule), this.clock.now(), Infinity, count);
  }

  /** @throws ValidationError */
  preview(cron: string, timeZone: string, count: number): readonly number[] {
    const timing = { ...DEFAULTS, cron, timeZone };
    return instantsBetween(this.instantsOf(timing), this.clock.now(), Infinity, count);
  }

  fires({ id }: Schedule, place: IdPlace): Promise<PageRows<Fire>> {
    return this.fireLog.list(id, place);
  }

  /** @throws ValidationError when the timing has no scheduled time from now on */
  private initialState(
    schedule: ScheduleTiming & Pick<Schedule, 'id' | 'jitterSeconds' | 'timeZone' | 'startsAt' | 'endsAt'>,
    now: number,
  ): ReturnType<typeof stateAt> {
    const given = (['cron', 'everySeconds', 'at'] as const).filter((field) => schedule[field] !== null);
    if (given.length !== 1)
      throw ValidationError.of(
        'cron',
        'exactly_one',
        'is required unless every_seconds or at is set: set exactly one of them',
      );
    const next = this.instantsOf(schedule).next(now);
    if (next === null) {
      const field = schedule.at !== null && Date.parse(schedule.at) <= now ? 'at' : 'ends_at';
      throw ValidationError.of(field, 'no_instants', 'leaves the schedule without a future scheduled time');
    }
    return stateAt(schedule, next);
  }

  /** @throws ValidationError for a malformed cron expression or an unknown time zone */
  private instantsOf(timing: Parameters<typeof instantsWithin>[0]): Instants {
    try {
      return instantsWithin(timing);
    } catch (error) {
      if (error instanceof CronExpressionError)
        throw ValidationError.of(
          'cron',
          'malformed_cron',
          `is not a valid cron expression: ${error.message}`,
        );
      if (error instanceof RangeError)
        throw ValidationError.of(
          'time_zone',
          'unknown_time_zone',
          'must be an IANA name such as Europe/Berlin',
        );
      throw error;
    }
  }

  private async setState(
    principal: Principal,
    schedule: Schedule,
    verb: 'paused' | 'resumed',
    state: ReturnType<typeof stateAt>,
  ): Promise<Schedule> {
    if (schedule.status === 'ended') throw new ScheduleEndedError();
    if (schedule.status === (verb === 'paused' ? 'paused' : 'active')) return schedule;
    const updatedAt = changeTime(schedule.updatedAt, this.clock.now());
    const next: Schedule = { ...schedule, ...state, updatedAt, revision: schedule.revision + 1 };
    await this.commit(principal, `schedule.${verb}`, { before: schedule, after: next }, [
      this.repository.change(schedule.id, schedule.revision, { ...state, updatedAt }),
    ]);
    return next;
  }

  private async commit(
    principal: Principal,
    action: `schedule.${string}`,
    states: ResourceStates<Schedule>,
    writes: readonly Write[],
    madeId?: string,
  ): Promise<void> {
    await this.audit.commitChange(principal, { action, ...states, recorded }, writes, madeId);
    this.runner.changed();
  }

  /**
   * Validates the input of a schedule. An inactive workflow is allowed, because the workflow may be active again when
   * the schedule fires.
   * @throws ValidationError when the input violates the workflow's schema
   */
  private async requireInput(workflow: Workflow, { input }: Schedule): Promise<void> {
    try {
      await this.checks.check(workflow, input);
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error;
    }
  }

  private async workflowOf({ workflowId }: Schedule): Promise<Workflow> {
    const workflow = await this.workflows.find(workflowId);
    if (workflow === undefined) throw new ScheduleEndedError();
    return workflow;
  }
}

/**
 * If a change sets one of the three timing fields, returns null for all three. The caller then overwrites the null of
 * the field that is set. Otherwise, returns an empty object.
 */
function otherTimings({ cron, everySeconds, at }: ScheduleInput): Partial<ScheduleTiming> {
  const named = [cron, everySeconds, at].filter((value) => value !== undefined && value !== null);
  return named.length === 0 ? {} : { cron: null, everySeconds: null, at: null };
}

/**
 * Returns the fields of a schedule for the audit log. Input and metadata are omitted, because they may be sensitive.
 */
function recorded({ input: _, metadata: __, lastFire: ___, ...schedule }: Schedule): object {
  return schedule;
}
