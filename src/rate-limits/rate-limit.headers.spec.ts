import { describe, expect, it } from 'vitest';
import { rateLimitHeaders, resetSecond, retryAfterSeconds } from './rate-limit.headers.js';

const NOW = 1_800_000_000_250;
const PRO = { name: 'pro', limits: { capacity: 1000, refillPerMinute: 600 } };

describe('rateLimitHeaders', () => {
  it('the `X-RateLimit` and the `RateLimit` headers contain the limit and the remaining requests', () => {
    const state = {
      plan: PRO,
      nowMs: NOW,
      allowed: true,
      remaining: 985,
      fullAtMs: NOW + 1_500,
      retryAfterMs: 0,
    };
    expect(Object.fromEntries(rateLimitHeaders(state))).toEqual({
      'X-RateLimit-Limit': '1000',
      'X-RateLimit-Remaining': '985',
      'X-RateLimit-Reset': '1800000002',
      'RateLimit-Policy': '"pro";q=1000;w=100',
      RateLimit: '"pro";r=985;t=2',
    });
  });

  it.each([
    ['a "b" \\c', '"a \\"b\\" \\\\c"'],
    ['größe\r\nX-Evil: 1', '"gr__e__X-Evil: 1"'],
  ])('the rate-limit headers encode the plan name %j as a structured string', (name, expected) => {
    const state = {
      plan: { ...PRO, name },
      nowMs: NOW,
      allowed: true,
      remaining: 1,
      fullAtMs: NOW,
      retryAfterMs: 0,
    };
    expect(Object.fromEntries(rateLimitHeaders(state))['RateLimit']).toBe(`${expected};r=1;t=0`);
  });
});

it('`resetSecond` and `retryAfterSeconds` round up to whole seconds', () => {
  expect([0, 1, 1_000, 1_001].map((ms) => resetSecond({ fullAtMs: 5_000 + ms }))).toEqual([5, 6, 6, 7]);
  expect([1, 1_000, 1_001].map((retryAfterMs) => retryAfterSeconds({ retryAfterMs }))).toEqual([1, 1, 2]);
});
