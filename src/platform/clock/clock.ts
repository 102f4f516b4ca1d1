/** The time, as a port: tests bring their own. */
export interface Clock {
  /** Epoch milliseconds, whole. */
  now(): number;
}

/** Injection token of the `Clock`. */
export const CLOCK = Symbol('CLOCK');

export const systemClock: Clock = { now: () => Date.now() };

/** An instant as it stands on the wire and in the database: ISO 8601, UTC, milliseconds, `Z`. */
export function isoTime(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

/** The time of a change: now, yet later than the change before it, so that no two look alike. */
export function changeTime(previous: string, now: number): string {
  return isoTime(Math.max(now, Date.parse(previous) + 1));
}
