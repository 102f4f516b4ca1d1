/** Delays between attempts to connect, in milliseconds. */
export interface Backoff {
  readonly initialMs: number;
  readonly maxMs: number;
}

export const DEFAULT_BACKOFF: Backoff = { initialMs: 250, maxMs: 15_000 };

/**
 * Delay before an attempt: doubling, capped, and spread over half to all of its length so that clients which
 * lost the same server do not all come back at once.
 * @param failures attempts that failed since the last connection, from 1
 * @param random from 0 up to 1
 */
export function backoffDelay({ initialMs, maxMs }: Backoff, failures: number, random: number): number {
  const delay = Math.min(initialMs * 2 ** Math.min(failures - 1, 30), maxMs);
  return Math.round(delay * (0.5 + random / 2));
}
