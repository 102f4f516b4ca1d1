import type { Json, JsonObject } from '../expressions/index.js';
import { isoTime } from '../platform/index.js';
import type { Timing } from './instants.js';

export const SCHEDULE_STATUSES = ['active', 'paused', 'ended'] as const;
export type ScheduleStatus = (typeof SCHEDULE_STATUSES)[number];

/**
 * Overlap settings: what a schedule does at a scheduled time if the execution of an earlier scheduled time has not
 * ended.
 */
export const OVERLAPS = ['skip', 'queue', 'allow', 'cancel_previous'] as const;
export type Overlap = (typeof OVERLAPS)[number];

export const FIRE_OUTCOMES = ['started', 'skipped', 'failed'] as const;
export type FireOutcome = (typeof FIRE_OUTCOMES)[number];

/** A scheduled time that has passed, with its outcome. All times are in ISO 8601. */
export interface Fire {
  readonly id: string;
  readonly scheduleId: string;
  readonly scheduledFor: string;
  readonly firedAt: string;
  readonly outcome: FireOutcome;
  /** Reason why the start was skipped or failed; null if an execution started. */
  readonly reason: string | null;
  readonly executionId: string | null;
}

/** When a schedule fires. Exactly one of `cron`, `everySeconds` and `at` is not null. */
export interface ScheduleTiming {
  /** Cron expression of five or six fields, or an alias such as `@daily`. */
  readonly cron: string | null;
  readonly everySeconds: number | null;
  /** Time in ISO 8601 at which the schedule fires once. */
  readonly at: string | null;
}

/** A schedule starts executions of one workflow at scheduled times. */
export interface Schedule extends ScheduleTiming {
  readonly id: string;
  readonly projectId: string;
  readonly workflowId: string;
  readonly name: string;
  /** IANA time zone in which `cron` is evaluated. */
  readonly timeZone: string;
  readonly input: Json;
  readonly metadata: JsonObject;
  readonly priority: number;
  readonly overlap: Overlap;
  /** Maximum age in seconds of a missed scheduled time that still fires. Older scheduled times are skipped. */
  readonly catchUpSeconds: number;
  readonly jitterSeconds: number;
  readonly startsAt: string | null;
  readonly endsAt: string | null;
  readonly status: ScheduleStatus;
  /** The next scheduled time, without jitter; null if the schedule is paused or has ended. */
  readonly nextAt: string | null;
  /**
   * Time at which the runner next handles the schedule: the next scheduled time plus jitter. While the schedule waits
   * for an earlier execution, the time of the next check of that execution.
   */
  readonly dueAt: string | null;
  /**
   * Time until which the schedule waited for an earlier execution; null if the schedule did not wait. Scheduled times
   * before `waitedUntil` fire even if they are older than `catchUpSeconds`.
   */
  readonly waitedUntil: string | null;
  readonly lastFire: Fire | null;
  readonly firedTotal: number;
  readonly skippedTotal: number;
  /** Number of changes by clients, which is the entity tag (`ETag`) of the schedule. */
  readonly revision: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export function keyPrefix(scheduleId: string): string {
  return `schedule:${scheduleId}:`;
}

/**
 * Returns the timing of a schedule. Intervals without `startsAt` count from 1970, so an interval of 3,600 s fires on
 * the hour.
 */
export function timingOf({
  cron,
  everySeconds,
  at,
  timeZone,
  startsAt,
}: ScheduleTiming & Pick<Schedule, 'timeZone' | 'startsAt'>): Timing {
  if (cron !== null) return { kind: 'cron', expression: cron, timeZone };
  if (everySeconds !== null)
    return { kind: 'every', seconds: everySeconds, anchor: startsAt === null ? 0 : Date.parse(startsAt) };
  if (at !== null) return { kind: 'once', at: Date.parse(at) };
  throw new Error('The schedule has none of the fields cron, every_seconds and at.');
}

/**
 * Returns the jitter of a scheduled time in milliseconds, less than `jitterSeconds`. The jitter is a hash of the
 * schedule's id and the scheduled time, so that every process computes the same value.
 */
export function jitterOf(
  { id, jitterSeconds }: Pick<Schedule, 'id' | 'jitterSeconds'>,
  instant: number,
): number {
  if (jitterSeconds === 0) return 0;
  let hash = 2_166_136_261;
  for (const character of `${id}${instant}`) hash = Math.imul(hash ^ character.charCodeAt(0), 16_777_619);
  return (hash >>> 0) % (jitterSeconds * 1_000);
}

/**
 * Returns the state of an active schedule whose next scheduled time is `next`. If `next` is null, the schedule has
 * ended.
 */
export function stateAt(
  schedule: Pick<Schedule, 'id' | 'jitterSeconds'>,
  next: number | null,
): Pick<Schedule, 'status' | 'nextAt' | 'dueAt' | 'waitedUntil'> {
  if (next === null) return { status: 'ended', nextAt: null, dueAt: null, waitedUntil: null };
  return {
    status: 'active',
    nextAt: isoTime(next),
    dueAt: isoTime(next + jitterOf(schedule, next)),
    waitedUntil: null,
  };
}
