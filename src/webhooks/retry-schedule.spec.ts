import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../test/support/manual-clock.js';
import { failureDecision, MAX_FAILING_MS, RETRY_DELAYS_MS } from './retry-schedule.js';

const failed = (now: number, attempts: number, failingSince: number | null = null) =>
  failureDecision({ now, attempts, statusCode: 500, failingSince });

describe('failureDecision', () => {
  it('the retry schedule ends after ten failed attempts to send a webhook event', () => {
    const clock = new ManualClock(0);
    const waits: number[] = [];
    for (let attempts = 1; ; attempts += 1) {
      const decision = failed(clock.now(), attempts);
      if (decision.kind !== 'retry') {
        expect(decision).toEqual({ kind: 'give_up' });
        break;
      }
      waits.push((decision.at - clock.now()) / 1_000);
      clock.advance(decision.at - clock.now());
    }
    expect(waits).toEqual([5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]);
  });

  it('a webhook is disabled after all attempts have failed for 5 days', () => {
    const clock = new ManualClock(1_000);
    const since = clock.now();
    clock.advance(MAX_FAILING_MS - 1);
    expect(failed(clock.now(), 3, since)).toEqual({
      kind: 'retry',
      at: clock.now() + (RETRY_DELAYS_MS[2] ?? 0),
    });
    clock.advance(1);
    expect(failed(clock.now(), 3, since)).toEqual({
      kind: 'disable',
      reason: 'All attempts failed for 5 days.',
    });
  });

  it('a webhook is disabled at the first response with status 410', () => {
    expect(failureDecision({ now: 0, attempts: 1, statusCode: 410, failingSince: null })).toEqual({
      kind: 'disable',
      reason: 'The endpoint responded with 410 Gone.',
    });
  });

  it('a delivery attempt without a response is retried', () => {
    expect(failureDecision({ now: 0, attempts: 1, statusCode: null, failingSince: null })).toEqual({
      kind: 'retry',
      at: 5_000,
    });
  });
});
