import { beforeEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../../test/support/manual-clock.js';
import { RateLimitError } from '../errors/index.js';
import { FAILED_AUTH_LIMITS, FailedAuthLimiter, MAX_ADDRESSES } from './failed-auth-limiter.js';

const { capacity } = FAILED_AUTH_LIMITS;

describe('FailedAuthLimiter', () => {
  let clock: ManualClock;
  let limiter: FailedAuthLimiter;

  beforeEach(() => {
    clock = new ManualClock();
    limiter = new FailedAuthLimiter(clock);
  });

  function refuse(address: string, times: number): void {
    for (let time = 0; time < times; time += 1) limiter.countFailure(address);
  }

  function refusal(address: string): unknown {
    try {
      limiter.countFailure(address);
      return undefined;
    } catch (error) {
      return error;
    }
  }

  it('a client address is rate-limited after too many failed authentications', () => {
    refuse('192.0.2.1', capacity);
    expect(refusal('192.0.2.1')).toBeInstanceOf(RateLimitError);
    expect(refusal('192.0.2.1')).toMatchObject({
      code: 'too_many_failed_authentications',
      retryAfterSeconds: 1,
    });
    expect(refusal('192.0.2.2')).toBeUndefined();
    clock.advance(1_000);
    expect(refusal('192.0.2.1')).toBeUndefined();
    expect(refusal('192.0.2.1')).toBeInstanceOf(RateLimitError);
  });

  it('failed authentications are counted per IPv4 address or IPv6 /64 network', () => {
    refuse('2001:db8:0:1::1', capacity);
    expect(refusal('2001:db8:0:1:ffff::9')).toBeInstanceOf(RateLimitError);
    expect(refusal('2001:db8:0:2::1')).toBeUndefined();
    refuse('::ffff:192.0.2.1', capacity);
    expect(refusal('192.0.2.1')).toBeInstanceOf(RateLimitError);
    expect(refusal('192.0.2.2')).toBeUndefined();
  });

  it('failed authentications are counted for at most MAX_ADDRESSES addresses', () => {
    for (let index = 0; index < MAX_ADDRESSES + 1_000; index += 1)
      limiter.countFailure(`10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`);
    expect(limiter.size).toBe(MAX_ADDRESSES);
  });
});
