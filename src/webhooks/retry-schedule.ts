const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Waits after the first, second, ... failed attempt, in milliseconds. After ten attempts the event is given up. */
export const RETRY_DELAYS_MS: readonly number[] = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

/** A webhook that fails for this long is disabled. */
export const MAX_FAILING_MS = 5 * 24 * HOUR;

/** An endpoint that responds with this status asks for no more events. */
const GONE = 410;

/** What follows from a failed attempt. */
export type FailureDecision =
  | { readonly kind: 'retry'; readonly at: number }
  | { readonly kind: 'give_up' }
  | { readonly kind: 'disable'; readonly reason: string };

export interface FailedAttempt {
  /** Epoch milliseconds. */
  readonly now: number;
  /** Failed attempts at this event, this one included. */
  readonly attempts: number;
  readonly statusCode: number | null;
  /** Epoch milliseconds of the first failure since the last success; null if this is the first. */
  readonly failingSince: number | null;
}

export function afterFailure({ now, attempts, statusCode, failingSince }: FailedAttempt): FailureDecision {
  if (statusCode === GONE) return { kind: 'disable', reason: 'The endpoint responded with 410 Gone.' };
  if (failingSince !== null && now - failingSince >= MAX_FAILING_MS)
    return { kind: 'disable', reason: 'Every attempt failed for 5 days.' };
  const delay = RETRY_DELAYS_MS[attempts - 1];
  return delay === undefined ? { kind: 'give_up' } : { kind: 'retry', at: now + delay };
}
