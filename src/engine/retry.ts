import type { RetryDefinition } from './definition.js';

/** How often a failed node is retried, and after which delays. */
export interface RetryPolicy {
  /** Maximum number of attempts of a node, including the first attempt. */
  readonly maxAttempts: number;
  readonly backoff: 'fixed' | 'exponential';
  readonly initialDelayMs: number;
  readonly maxDelayMs: number;
  /**
   * Whether each delay is multiplied by a random factor from 0.5 to 1, so that nodes that failed together are not
   * retried together.
   */
  readonly jitter: boolean;
}

export const NO_RETRY: RetryPolicy = {
  maxAttempts: 1,
  backoff: 'exponential',
  initialDelayMs: 1_000,
  maxDelayMs: 60_000,
  jitter: true,
};

export function retryPolicy(definition: RetryDefinition | undefined): RetryPolicy {
  if (definition === undefined) return NO_RETRY;
  return {
    maxAttempts: definition.max_attempts,
    backoff: definition.backoff ?? NO_RETRY.backoff,
    initialDelayMs: definition.initial_delay_ms ?? NO_RETRY.initialDelayMs,
    maxDelayMs: definition.max_delay_ms ?? NO_RETRY.maxDelayMs,
    jitter: definition.jitter ?? NO_RETRY.jitter,
  };
}

/**
 * Returns the delay between a failed attempt and the next attempt, in milliseconds.
 * @param failedAttempt number of the attempt that failed, from 1
 * @param random number from 0 to below 1, for jitter
 */
export function retryDelay(policy: RetryPolicy, failedAttempt: number, random: number): number {
  const factor = policy.backoff === 'exponential' ? 2 ** (failedAttempt - 1) : 1;
  const delay = Math.min(policy.initialDelayMs * factor, policy.maxDelayMs);
  return Math.round(policy.jitter ? delay * (0.5 + random / 2) : delay);
}
