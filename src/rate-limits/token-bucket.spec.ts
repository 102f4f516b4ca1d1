import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Bucket,
  type BucketLimits,
  charge,
  fullAtMs,
  refilled,
  REQUEST,
  take,
  takeMany,
  type TakeResult,
  TOLERATED_SKEW_MS,
} from './token-bucket.js';

const START = 1_800_000_000_000;
const FREE: BucketLimits = { capacity: 100, refillPerMinute: 60 };

/** A token bucket that keeps its state between calls, as a rate-limit store does. */
class Held {
  bucket: Bucket | undefined;

  take(limits: BucketLimits, nowMs: number): TakeResult {
    const { bucket, result } = take(refilled(this.bucket, limits, nowMs), limits, nowMs);
    this.bucket = bucket;
    return result;
  }

  /**
   * Makes several requests at the same point in time.
   *
   * @returns the number of allowed requests
   */
  burst(attempts: number, limits: BucketLimits, nowMs: number): number {
    return Array.from({ length: attempts }, () => this.take(limits, nowMs)).filter(({ allowed }) => allowed)
      .length;
  }
}

const limits = fc.record({
  capacity: fc.integer({ min: 1, max: 40 }),
  refillPerMinute: fc.integer({ min: 1, max: 90_000 }),
});
const pauses = fc.array(fc.oneof(fc.constant(0), fc.nat(40), fc.nat(3_000), fc.nat(200_000)), {
  minLength: 1,
  maxLength: 120,
});

describe('token bucket', () => {
  it('a full token bucket allows as many immediate requests as its capacity', () => {
    const held = new Held();
    expect(held.burst(150, FREE, START)).toBe(100);
    expect(held.take(FREE, START + 999).allowed).toBe(false);
    expect(held.take(FREE, START + 1_000).allowed).toBe(true);
    expect(held.burst(5, FREE, START + 3_000)).toBe(2);
  });

  it('a token bucket reports the remaining requests and the reset time', () => {
    const held = new Held();
    expect(held.take(FREE, START)).toEqual({
      allowed: true,
      remaining: 99,
      fullAtMs: START + 1_000,
      retryAfterMs: 0,
    });
    held.burst(99, FREE, START);
    expect(held.take(FREE, START + 400)).toEqual({
      allowed: false,
      remaining: 0,
      fullAtMs: START + 100_000,
      retryAfterMs: 600,
    });
  });

  it('a token bucket never allows more requests than its capacity plus the refill', () => {
    fc.assert(
      fc.property(limits, pauses, (bucketLimits, steps) => {
        const held = new Held();
        const allowedAt: number[] = [];
        let now = START;
        for (const pause of steps) {
          now += pause;
          if (held.take(bucketLimits, now).allowed) allowedAt.push(now);
        }
        allowedAt.forEach((from, first) =>
          allowedAt.slice(first).forEach((to, more) => {
            const refill = Math.floor(((to - from) * bucketLimits.refillPerMinute) / 60_000);
            expect(more + 1).toBeLessThanOrEqual(bucketLimits.capacity + refill);
          }),
        );
      }),
    );
  });

  it('a token bucket that rejected a request allows the next request exactly `retryAfterMs` later', () => {
    fc.assert(
      fc.property(limits, pauses, (bucketLimits, steps) => {
        const held = new Held();
        let now = START;
        for (const pause of steps) {
          now += pause;
          const { allowed, retryAfterMs } = held.take(bucketLimits, now);
          if (allowed) continue;
          expect(retryAfterMs).toBeGreaterThan(0);
          expect(held.take(bucketLimits, now + retryAfterMs - 1).allowed).toBe(false);
          now += retryAfterMs;
          expect(held.take(bucketLimits, now).allowed).toBe(true);
        }
      }),
    );
  });

  it('a token bucket is full at the time that `fullAtMs` returns, and not 1 ms earlier', () => {
    fc.assert(
      fc.property(limits, fc.integer({ min: 1, max: 60 }), (bucketLimits, attempts) => {
        const held = new Held();
        held.burst(attempts, bucketLimits, START);
        const full = bucketLimits.capacity * 60_000;
        const at = fullAtMs(held.bucket!, bucketLimits);
        expect(refilled(held.bucket, bucketLimits, at).level).toBe(full);
        expect(refilled(held.bucket, bucketLimits, at - 1).level).toBeLessThan(full);
      }),
    );
  });

  it('a token bucket refills at its full rate even if a request arrives every millisecond', () => {
    const held = new Held();
    held.burst(100, FREE, START);
    for (let ms = 1; ms < 1_000; ms += 1) expect(held.take(FREE, START + ms).allowed).toBe(false);
    expect(held.take(FREE, START + 1_000).allowed).toBe(true);
  });

  it('a token bucket allows no extra requests if clocks of processes differ', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(TOLERATED_SKEW_MS), { maxLength: 300 }), (skews) => {
        const held = new Held();
        const allowed = skews.filter((skew) => held.take(FREE, START - skew).allowed).length;
        expect(allowed).toBeLessThanOrEqual(FREE.capacity + TOLERATED_SKEW_MS / 1_000);
      }),
    );
  });

  it('setting the clock back adds no tokens to a token bucket', () => {
    const held = new Held();
    held.burst(100, FREE, START);
    const back = START - 3_600_000;
    expect(held.take(FREE, back)).toMatchObject({ allowed: false, retryAfterMs: 1_000 });
    expect(held.take(FREE, back + 1_000).allowed).toBe(true);
  });

  it('after the clock was set back by 2 seconds, a token bucket still reports the correct time until the next allowed request', () => {
    const held = new Held();
    held.burst(100, FREE, START);
    const back = START - 2_000;
    const { retryAfterMs } = held.take(FREE, back);
    expect(held.take(FREE, back + retryAfterMs - 1).allowed).toBe(false);
    expect(held.take(FREE, back + retryAfterMs).allowed).toBe(true);
  });

  it('a token bucket applies a lower limit immediately, and reaches a higher limit only by refills', () => {
    const held = new Held();
    held.take(FREE, START);
    expect(held.burst(20, { capacity: 10, refillPerMinute: 60 }, START)).toBe(10);
    expect(held.burst(20, FREE, START)).toBe(0);
    expect(held.burst(200, FREE, START + 100_000)).toBe(100);
  });

  it('a token bucket has an equal level after several requests, whether they are charged together or separately', () => {
    for (const level of [-REQUEST, 0, REQUEST - 1, 3 * REQUEST, 3 * REQUEST + 7])
      for (let attempts = 0; attempts < 6; attempts += 1) {
        let bucket: Bucket = { level, atMs: 5 };
        for (let attempt = 0; attempt < attempts; attempt += 1) bucket = take(bucket, FREE, 5).bucket;
        expect(takeMany({ level, atMs: 5 }, attempts)).toEqual(bucket);
      }
  });

  it('a charge that exceeds the tokens left in a token bucket delays later requests', () => {
    let bucket = refilled(undefined, FREE, START);
    for (let charges = 0; charges < 105; charges += 1) bucket = charge(bucket, FREE, 60);
    expect(take(bucket, FREE, START).result).toMatchObject({
      allowed: false,
      remaining: 0,
      retryAfterMs: 6_000,
    });
    for (let charges = 0; charges < 10_000; charges += 1) bucket = charge(bucket, FREE, 60);
    expect(take(bucket, FREE, START).result.retryAfterMs).toBe(60 * 60_000 + 1_000);
  });
});
