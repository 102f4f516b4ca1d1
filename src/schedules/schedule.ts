import type { Json, JsonObject } from '../expressions/index.js';
import { isoTime } from '../platform/index.js';
import type { Timing } from './instants.js';

export const SCHEDULE_STATUSES = ['active', 'paused', 'ended'] as const;
export type ScheduleStatus = (typeof SCHEDULE_STATUSES)[number];

/** What to do at a scheduled time if an earlier execution has not ended. */
export const OVERLAPS = ['skip', 'queue', 'allow', 'cancel_previous'] as const;
export type Overlap = (typeof OVERLAPS)[number];

export const FIRE_OUTCOMES = ['started', 'skipped', 'failed'] as const;
export type FireOutcome = (typeof FIRE_OUTCOMES)[number];

/** Outcome of a scheduled time. Times are ISO 8601. */
export interface Fire {
  readonly id: string;
  readonly scheduleId: string;
  readonly scheduledFor: string;
  readonly firedAt: string;
  readonly outcome: FireOutcome;
  /** Why the start was skipped or failed. Null if the execution started. */
  readonly reason: string | null;
  readonly executionId: string | null;
}

/** Timing of a schedule. Exactly one of the three fields is set. */
export interface ScheduleTiming {
  /** Cron expression of five or six fields, or an alias such as `@daily`. */
  readonly cron: string | null;
  readonly everySeconds: number | null;
  /** ISO 8601. The schedule fires once, at this time. */
  readonly at: string | null;
}

/** Starts executions of one workflow at its scheduled times. */
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
  /** Maximum age of missed times that still fire, in seconds. */
  readonly catchUpSeconds: number;
  readonly jitterSeconds: number;
  readonly startsAt: string | null;
  readonly endsAt: string | null;
  readonly status: ScheduleStatus;
  /** The next scheduled time of the schedule. Null if the schedule is paused or has ended. */
  readonly nextAt: string | null;
  /**
   * The next scheduled time plus jitter. While a start waits for an earlier execution, the time of the next check.
   */
  readonly dueAt: string | null;
  /** Starts before this time are not missed, because they waited for an earlier execution. Null without a wait. */
  readonly waitedUntil: string | null;
  readonly lastFire: Fire | null;
  readonly firedTotal: number;
  readonly skippedTotal: number;
  /** Incremented by every change of a client. Used as the entity tag. */
  readonly revision: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export function keyPrefix(scheduleId: string): string {
  return `schedule:${scheduleId}:`;
}

/** The timing of a schedule. Intervals without `startsAt` count from 1970, so 3,600 s fires on the hour. */
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
  throw new Error('A schedule has no timing.');
}

/**
 * Delay of a start in milliseconds, less than `jitterSeconds`. Computed from the schedule's id and the scheduled
 * time, so that every process gets the same delay.
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

/** State of an active schedule with the next scheduled time `next`. Null ends the schedule. */
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
