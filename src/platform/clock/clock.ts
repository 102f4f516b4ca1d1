/** The source of the current time. Tests can replace this port. */
export interface Clock {
  /** Current time in whole epoch milliseconds. */
  now(): number;
}

export const CLOCK = Symbol('CLOCK');

/** The last formatted time, cached because many events of one millisecond need the same string. */
let last = { epochMs: 0, text: new Date(0).toISOString() };

/** Formats a time as ISO 8601 in UTC with milliseconds and `Z`. */
export function isoTime(epochMs: number): string {
  if (epochMs !== last.epochMs) last = { epochMs, text: new Date(epochMs).toISOString() };
  return last.text;
}

/** Time of a change, ISO 8601. Always later than the previous change, so that no two times are equal. */
export function changeTime(previous: string, now: number): string {
  return isoTime(Math.max(now, Date.parse(previous) + 1));
}
