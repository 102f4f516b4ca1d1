import { describe, expect, it } from 'vitest';
import { NO_RETRY, retryDelay, retryPolicy } from './retry.js';

describe('retryPolicy', () => {
  it('a node without `retry` has one attempt', () => {
    expect(retryPolicy(undefined).maxAttempts).toBe(1);
  });

  it('`retryPolicy` adds the defaults of omitted fields', () => {
    expect(retryPolicy({ max_attempts: 4 })).toEqual({ ...NO_RETRY, maxAttempts: 4 });
  });

  it('`retryPolicy` keeps explicit values, including zero and false', () => {
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

  it('an exponential backoff doubles with each attempt up to `max_delay_ms`', () => {
    expect([1, 2, 3, 4, 5, 9].map((attempt) => retryDelay(plain, attempt, 0))).toEqual([
      100, 200, 400, 800, 1_000, 1_000,
    ]);
  });

  it('a fixed backoff has the same delay after each attempt', () => {
    expect([1, 2, 9].map((attempt) => retryDelay({ ...plain, backoff: 'fixed' }, attempt, 0))).toEqual([
      100, 100, 100,
    ]);
  });

  it('a backoff with jitter is between 50 % and 100 % of the delay, in whole milliseconds', () => {
    const jittered = { ...plain, jitter: true };
    expect([0, 0.5, 0.999].map((random) => retryDelay(jittered, 1, random))).toEqual([50, 75, 100]);
  });

  it('a backoff never exceeds `max_delay_ms`, even if the initial delay exceeds it', () => {
    expect(retryDelay({ ...plain, maxDelayMs: 10 }, 1, 0)).toBe(10);
  });
});
