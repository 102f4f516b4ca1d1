/** Source of the current time. Tests can replace it. */
export interface Clock {
  /** Current time in whole epoch milliseconds. */
  now(): number;
}

export const CLOCK = Symbol('CLOCK');

/** Last result of `isoTime`, cached because many events of the same millisecond need the same string. */
let last = { epochMs: 0, text: new Date(0).toISOString() };

/** Formats a time as ISO 8601 in UTC with milliseconds and `Z`. */
export function isoTime(epochMs: number): string {
  if (epochMs !== last.epochMs) last = { epochMs, text: new Date(epochMs).toISOString() };
  return last.text;
}

/**
 * Returns the time of a change, ISO 8601. The result is always later than `previous`, so that two changes of a resource
 * never have equal times.
 */
export function changeTime(previous: string, now: number): string {
  return isoTime(Math.max(now, Date.parse(previous) + 1));
}
