/** Delays between connection attempts, in milliseconds. */
export interface Backoff {
  readonly initialMs: number;
  readonly maxMs: number;
}

export const DEFAULT_BACKOFF: Backoff = { initialMs: 250, maxMs: 15_000 };

/**
 * Returns the delay before a connection attempt, in milliseconds. The delay doubles with each failure up to the
 * maximum. A random factor from 0.5 to 1 spreads the delays, so that the clients of a lost server do not all reconnect
 * at the same time.
 * @param failures number of failed attempts since the last connection, from 1
 * @param random number from 0 (inclusive) to 1 (exclusive)
 */
export function backoffDelay({ initialMs, maxMs }: Backoff, failures: number, random: number): number {
  const delay = Math.min(initialMs * 2 ** Math.min(failures - 1, 30), maxMs);
  return Math.round(delay * (0.5 + random / 2));
}
