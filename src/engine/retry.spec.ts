import { describe, expect, it } from 'vitest';
import { NO_RETRY, retryDelay, retryPolicy } from './retry.js';

describe('retryPolicy', () => {
  it('gives one attempt where nothing is said', () => {
    expect(retryPolicy(undefined).maxAttempts).toBe(1);
  });

  it('fills in what is left out', () => {
    expect(retryPolicy({ max_attempts: 4 })).toEqual({ ...NO_RETRY, maxAttempts: 4 });
  });

  it('takes what is said, zero and false included', () => {
    const definition = {
      max_attempts: 2,
      backoff: 'fixed',
      initial_delay_ms: 0,
      max_delay_ms: 5,
      jitter: false,
    } as const;
    expect(retryPolicy(definition)).toEqual({
      maxAttempts: 2,
      backoff: 'fixed',
      initialDelayMs: 0,
      maxDelayMs: 5,
      jitter: false,
    });
  });
});

describe('retryDelay', () => {
  const plain = retryPolicy({ max_attempts: 10, initial_delay_ms: 100, max_delay_ms: 1_000, jitter: false });

  it('doubles from attempt to attempt, up to the longest', () => {
    expect([1, 2, 3, 4, 5, 9].map((attempt) => retryDelay(plain, attempt, 0))).toEqual([
      100, 200, 400, 800, 1_000, 1_000,
    ]);
  });

  it('stays the same where it is fixed', () => {
    expect([1, 2, 9].map((attempt) => retryDelay({ ...plain, backoff: 'fixed' }, attempt, 0))).toEqual([
      100, 100, 100,
    ]);
  });

  it('spreads over half to all of the delay, in whole milliseconds', () => {
    const jittered = { ...plain, jitter: true };
    expect([0, 0.5, 0.999].map((random) => retryDelay(jittered, 1, random))).toEqual([50, 75, 100]);
  });

  it('is never longer than the longest, although the first is', () => {
    expect(retryDelay({ ...plain, maxDelayMs: 10 }, 1, 0)).toBe(10);
  });
});
