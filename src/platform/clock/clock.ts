/** The time, as a port: tests use their own. */
export interface Clock {
  /** Epoch milliseconds, whole. */
  now(): number;
}

/** Injection token of the `Clock`. */
export const CLOCK = Symbol('CLOCK');

/** Cached, because many events of one millisecond need the same text. */
let last = { epochMs: 0, text: new Date(0).toISOString() };

/** An instant in the format of the wire and the database: ISO 8601, UTC, milliseconds, `Z`. */
export function isoTime(epochMs: number): string {
  if (epochMs !== last.epochMs) last = { epochMs, text: new Date(epochMs).toISOString() };
  return last.text;
}

/** Time of a change: now, but always later than the previous change, so that no two are equal. */
export function changeTime(previous: string, now: number): string {
  return isoTime(Math.max(now, Date.parse(previous) + 1));
}
