/** The time, as a port: tests bring their own. */
export interface Clock {
  /** Epoch milliseconds, whole. */
  now(): number;
}

/** Injection token of the `Clock`. */
export const CLOCK = Symbol('CLOCK');

/** Many things happen in one millisecond, and each says when; its text is made once. */
let last = { epochMs: 0, text: new Date(0).toISOString() };

/** An instant as it stands on the wire and in the database: ISO 8601, UTC, milliseconds, `Z`. */
export function isoTime(epochMs: number): string {
  if (epochMs !== last.epochMs) last = { epochMs, text: new Date(epochMs).toISOString() };
  return last.text;
}

/** The time of a change: now, yet later than the change before it, so that no two look alike. */
export function changeTime(previous: string, now: number): string {
  return isoTime(Math.max(now, Date.parse(previous) + 1));
}
