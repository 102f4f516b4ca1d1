import { type Instants, instantsOf } from './instants.js';
import { type Schedule, timingOf } from './schedule.js';

/**
 * What to do about the current scheduled time of a schedule. `instant` is the current scheduled time, and `next` the
 * following one, in epoch milliseconds.
 */
export type Decision =
  | { readonly kind: 'sleep' }
  /**
   * `count` consecutive scheduled times, starting with `instant`, are too old to fire. `next` is recent enough to fire.
   */
  | { readonly kind: 'miss'; readonly instant: number; readonly count: number; readonly next: number | null }
  | {
      readonly kind: 'start';
      readonly instant: number;
      readonly next: number | null;
      /** Whether unfinished executions of earlier scheduled times are cancelled before the new execution starts. */
      readonly cancels: boolean;
    }
  | { readonly kind: 'skip'; readonly instant: number; readonly next: number | null }
  /**
   * The execution of an earlier scheduled time has not ended, so the schedule waits before it starts another execution.
   */
  | { readonly kind: 'wait' };

/** Maximum number of missed scheduled times to count. Further missed times are skipped without being counted. */
export const MAX_COUNTED = 10_000;

/**
 * Returns the scheduled times of a schedule from its `startsAt` to its `endsAt`, including both.
 *
 * @throws CronExpressionError; RangeError for an unknown time zone
 */
export function instantsWithin(
  schedule: Pick<Schedule, 'endsAt'> & Parameters<typeof timingOf>[0],
): Instants {
  const instants = instantsOf(timingOf(schedule));
  const first = schedule.startsAt === null ? -Infinity : Date.parse(schedule.startsAt);
  const last = schedule.endsAt === null ? Infinity : Date.parse(schedule.endsAt);
  return {
    next: (after) => {
      const instant = instants.next(Math.max(after, first - 1));
      return instant === null || instant > last ? null : instant;
    },
  };
}

/**
 * Decides what an active schedule does about its next scheduled time.
 *
 * @param isRunning whether an execution of an earlier scheduled time has not ended
 */
export function decide(schedule: Schedule, now: number, isRunning: boolean): Decision {
  const { nextAt, dueAt, waitedUntil, catchUpSeconds } = schedule;
  if (nextAt === null || dueAt === null || Date.parse(dueAt) > now) return { kind: 'sleep' };
  const instant = Date.parse(nextAt);
  const instants = instantsWithin(schedule);
  const oldestAllowed = now - catchUpSeconds * 1_000;
  const waitedUntilMs = waitedUntil === null ? -Infinity : Date.parse(waitedUntil);
  if (instant < oldestAllowed && instant > waitedUntilMs) return missed(instants, instant, oldestAllowed);
  const next = instants.next(instant);
  if (!isRunning || schedule.overlap === 'allow') return { kind: 'start', instant, next, cancels: false };
  switch (schedule.overlap) {
    case 'skip':
      return { kind: 'skip', instant, next };
    case 'queue':
      return { kind: 'wait' };
    case 'cancel_previous':
      return { kind: 'start', instant, next, cancels: true };
  }
}

function missed(instants: Instants, first: number, oldestAllowed: number): Decision {
  let count = 1;
  let next = instants.next(first);
  while (next !== null && next < oldestAllowed && count < MAX_COUNTED) {
    count += 1;
    next = instants.next(next);
  }
  // After `MAX_COUNTED` missed times, skips the other missed times without counting them.
  if (next !== null && next < oldestAllowed) next = instants.next(oldestAllowed - 1);
  return { kind: 'miss', instant: first, count, next };
}
