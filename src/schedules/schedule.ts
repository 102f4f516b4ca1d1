import type { Json, JsonObject } from '../expressions/index.js';
import { isoTime } from '../platform/index.js';
import type { Timing } from './instants.js';

export const SCHEDULE_STATUSES = ['active', 'paused', 'ended'] as const;
export type ScheduleStatus = (typeof SCHEDULE_STATUSES)[number];

/** What to do at an instant if the execution of an earlier instant has not ended. */
export const OVERLAPS = ['skip', 'queue', 'allow', 'cancel_previous'] as const;
export type Overlap = (typeof OVERLAPS)[number];

export const FIRE_OUTCOMES = ['started', 'skipped', 'failed'] as const;
export type FireOutcome = (typeof FIRE_OUTCOMES)[number];

/** Outcome of an instant of a schedule. Times are ISO 8601. */
export interface Fire {
  readonly id: string;
  readonly scheduleId: string;
  readonly scheduledFor: string;
  readonly firedAt: string;
  readonly outcome: FireOutcome;
  /** Why the instant was skipped or failed; null if its execution started. */
  readonly reason: string | null;
  readonly executionId: string | null;
}

/** Timing of a schedule: exactly one of the three fields is set. */
export interface ScheduleTiming {
  /** Cron expression of five or six fields, or an alias such as `@daily`. */
  readonly cron: string | null;
  readonly everySeconds: number | null;
  /** ISO 8601; the schedule fires once, at this time. */
  readonly at: string | null;
}

/** Starts executions of one workflow at its instants. */
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
  /** Maximum age of missed instants that still fire, in seconds. */
  readonly catchUpSeconds: number;
  readonly jitterSeconds: number;
  readonly startsAt: string | null;
  readonly endsAt: string | null;
  readonly status: ScheduleStatus;
  /** The next instant; null unless the schedule is active. */
  readonly nextAt: string | null;
  /**
   * Time at which the next instant is processed: the instant plus jitter. While the instant waits for an earlier
   * execution, the time of the next check.
   */
  readonly dueAt: string | null;
  /**
   * Instants before this time do not count as missed, because they waited for an earlier execution. Null if no instant
   * waits.
   */
  readonly waitedUntil: string | null;
  readonly lastFire: Fire | null;
  readonly firedTotal: number;
  readonly skippedTotal: number;
  /** Incremented with every change by a client. The entity tag is derived from it. */
  readonly revision: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Prefix of the deduplication keys of a schedule's executions. */
export function keyPrefix(scheduleId: string): string {
  return `schedule:${scheduleId}:`;
}

/** The timing of a schedule. Without `startsAt`, intervals are counted from 1970, so 3,600 s fires on the hour. */
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
 * Delay of an instant in milliseconds, less than `jitterSeconds`. The delay is computed from the schedule's id and the
 * instant, so that every process gets the same value.
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

/** State of an active schedule whose next instant is `next`. Null ends the schedule. */
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
