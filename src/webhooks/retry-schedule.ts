const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Milliseconds before each retry. After the last retry, the event is given up. */
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

/** Milliseconds after which a webhook with only failed attempts is disabled. */
export const MAX_FAILING_MS = 5 * 24 * HOUR;

/** Status with which an endpoint refuses all further events. */
const GONE = 410;

export type FailureDecision =
  | { readonly kind: 'retry'; readonly at: number }
  | { readonly kind: 'give_up' }
  | { readonly kind: 'disable'; readonly reason: string };

export interface FailedAttempt {
  /** Epoch milliseconds. */
  readonly now: number;
  /** Number of failed attempts for this event, including the current attempt. */
  readonly attempts: number;
  readonly statusCode: number | null;
  /** Epoch milliseconds of the first failure since the last success. Null for the first failure. */
  readonly failingSince: number | null;
}

export function afterFailure({ now, attempts, statusCode, failingSince }: FailedAttempt): FailureDecision {
  if (statusCode === GONE) return { kind: 'disable', reason: 'The endpoint responded with 410 Gone.' };
  if (failingSince !== null && now - failingSince >= MAX_FAILING_MS)
    return { kind: 'disable', reason: 'All attempts failed for 5 days.' };
  const delay = RETRY_DELAYS_MS[attempts - 1];
  return delay === undefined ? { kind: 'give_up' } : { kind: 'retry', at: now + delay };
}
