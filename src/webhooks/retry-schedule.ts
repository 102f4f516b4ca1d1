const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Delays before the retries of an event, in milliseconds. If the last retry fails, the event is given up. */
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

/** Milliseconds without a successful attempt after which a webhook is disabled: 5 days. */
export const MAX_FAILING_MS = 5 * 24 * HOUR;

/** HTTP status with which an endpoint refuses all further events. The webhook is then disabled. */
const GONE = 410;

export type FailureDecision =
  | { readonly kind: 'retry'; readonly at: number }
  | { readonly kind: 'give_up' }
  | { readonly kind: 'disable'; readonly reason: string };

export interface FailedAttempt {
  /** Time of the failed attempt, in epoch milliseconds. */
  readonly now: number;
  /** Number of failed attempts to send the event, including the current attempt. */
  readonly attempts: number;
  readonly statusCode: number | null;
  /**
   * Time of the webhook's first failed attempt since its last success, in epoch milliseconds. Null if the current
   * attempt is the first failure.
   */
  readonly failingSince: number | null;
}

export function failureDecision({ now, attempts, statusCode, failingSince }: FailedAttempt): FailureDecision {
  if (statusCode === GONE) return { kind: 'disable', reason: 'The endpoint responded with 410 Gone.' };
  if (failingSince !== null && now - failingSince >= MAX_FAILING_MS)
    return { kind: 'disable', reason: 'All attempts failed for 5 days.' };
  const delay = RETRY_DELAYS_MS[attempts - 1];
  return delay === undefined ? { kind: 'give_up' } : { kind: 'retry', at: now + delay };
}
