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
