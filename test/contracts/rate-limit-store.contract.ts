import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BucketLimits, TakeResult } from '../../src/rate-limits/token-bucket.js';
import type { LimitedBucket, RateLimitStore } from '../../src/rate-limits/rate-limit.store.js';

/** Rate limit stores that are empty at the start of each test. */
export interface OpenedRateLimitStore {
  /** One store per replica of the service. All stores share their buckets. */
  readonly replicas: readonly [RateLimitStore, ...RateLimitStore[]];
  readonly close: () => Promise<void>;
}

/** A bucket needs up to 20 s to refill, so no bucket expires in Redis during a test. */
const LIMITS: BucketLimits = { capacity: 10, refillPerMinute: 30 };

/** The bucket of a team. It is so large that no test empties it. */
const LARGE_TEAM: LimitedBucket = { key: 'large', limits: { capacity: 1_000, refillPerMinute: 1_000 } };

/**
 * Tests that every implementation of `RateLimitStore` must pass. Each call passes the current time, so no test waits.
 */
export function rateLimitStoreContract(name: string, open: () => Promise<OpenedRateLimitStore>): void {
  describe(`rate limit store: ${name}`, () => {
    const start = Date.now();
    let opened: OpenedRateLimitStore;
    let turn: number;

    beforeEach(async () => {
      opened = await open();
      turn = 0;
    });
    afterEach(() => opened.close());

    /** Takes one token from the bucket of a caller and of its team. Consecutive calls use different replicas. */
    async function takeOf(key: string, team: LimitedBucket, nowMs: number): Promise<TakeResult> {
      const replica = opened.replicas[turn++ % opened.replicas.length] ?? opened.replicas[0];
      return replica.take({ key, limits: LIMITS }, team, nowMs);
    }

    /** Takes one token from the bucket of a caller, whose team has enough tokens. */
    async function take(key: string, nowMs: number, limits = LIMITS): Promise<TakeResult> {
      const replica = opened.replicas[turn++ % opened.replicas.length] ?? opened.replicas[0];
      return replica.take({ key, limits }, LARGE_TEAM, nowMs);
    }

    async function allowed(attempts: number, key: string, nowMs: number, limits = LIMITS): Promise<number> {
      let count = 0;
      for (let attempt = 0; attempt < attempts; attempt += 1)
        if ((await take(key, nowMs, limits)).allowed) count += 1;
      return count;
    }

    it('a token bucket starts full, and `take` returns the remaining tokens', async () => {
      expect(await take('a', start)).toEqual({
        allowed: true,
        remaining: 9,
        fullAtMs: start + 2_000,
        retryAfterMs: 0,
      });
      expect(await take('a', start)).toEqual({
        allowed: true,
        remaining: 8,
        fullAtMs: start + 4_000,
        retryAfterMs: 0,
      });
    });

    it('an empty token bucket refuses a request, and returns the time in milliseconds until the next token', async () => {
      expect(await allowed(25, 'a', start)).toBe(10);
      expect(await take('a', start + 500)).toEqual({
        allowed: false,
        remaining: 0,
        fullAtMs: start + 20_000,
        retryAfterMs: 1_500,
      });
      expect((await take('a', start + 1_999)).allowed).toBe(false);
      expect((await take('a', start + 2_000)).allowed).toBe(true);
    });

    it('a token bucket refills up to its capacity and no further', async () => {
      await allowed(10, 'a', start);
      expect(await allowed(25, 'a', start + 10_000)).toBe(5);
      expect(await allowed(25, 'a', start + 3_600_000)).toBe(10);
    });

    it('each key has its own token bucket', async () => {
      await allowed(10, 'a', start);
      expect(await allowed(10, 'b', start)).toBe(10);
      expect(await allowed(1, 'a', start)).toBe(0);
    });

    it('concurrent requests get no more tokens than the bucket holds', async () => {
      const results = await Promise.all(Array.from({ length: 50 }, () => take('a', start)));
      expect(results.filter((result) => result.allowed)).toHaveLength(10);
      expect(new Set(results.filter((result) => result.allowed).map(({ remaining }) => remaining)).size).toBe(
        10,
      );
    });

    it('concurrent requests for rate-limit tokens get the same results as consecutive requests', async () => {
      const [replica] = opened.replicas;
      const results = await Promise.all(
        Array.from({ length: 12 }, async () => replica.take({ key: 'a', limits: LIMITS }, LARGE_TEAM, start)),
      );
      expect(results.map(({ remaining }) => remaining)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0]);
      expect(results.map(({ allowed: isAllowed }) => isAllowed)).toEqual([
        ...Array.from({ length: 10 }, () => true),
        false,
        false,
      ]);
      expect(results.at(-1)).toEqual(await replica.take({ key: 'a', limits: LIMITS }, LARGE_TEAM, start));
    });

    it('callers of one team together get no more tokens than the bucket of the team holds', async () => {
      const team = { key: 'team', limits: { capacity: 6, refillPerMinute: 30 } };
      for (const key of ['a', 'b', 'a', 'b', 'a', 'b'])
        expect(await takeOf(key, team, start)).toMatchObject({ allowed: true, retryAfterMs: 0 });
      expect(await takeOf('a', team, start + 500)).toEqual({
        allowed: false,
        remaining: 6,
        fullAtMs: start + 8_000,
        retryAfterMs: 1_500,
      });
      expect(await takeOf('b', team, start + 2_000)).toMatchObject({ allowed: true });
      expect(await takeOf('a', team, start + 2_000)).toMatchObject({ allowed: false });
    });

    it('a request that the bucket of the caller refuses takes no token from the bucket of the team', async () => {
      const team = { key: 'team', limits: { capacity: 15, refillPerMinute: 30 } };
      const attempts = (key: string) =>
        Promise.all(Array.from({ length: 30 }, () => takeOf(key, team, start)));
      expect((await attempts('a')).filter(({ allowed: isAllowed }) => isAllowed)).toHaveLength(10);
      expect((await attempts('b')).filter(({ allowed: isAllowed }) => isAllowed)).toHaveLength(5);
    });

    it('concurrent requests of a caller in two teams take from the bucket of each team', async () => {
      const limits = { capacity: 2, refillPerMinute: 30 };
      const ofTeam = (key: string) =>
        Promise.all(Array.from({ length: 3 }, () => takeOf('a', { key, limits }, start)));
      for (const results of await Promise.all([ofTeam('one'), ofTeam('other')]))
        expect(results.filter(({ allowed: isAllowed }) => isAllowed)).toHaveLength(2);
    });

    it('changed rate limits apply to existing token buckets', async () => {
      await take('a', start);
      expect(await allowed(10, 'a', start, { capacity: 4, refillPerMinute: 30 })).toBe(4);
      expect(await allowed(10, 'a', start)).toBe(0);
      expect(await allowed(100, 'a', start + 60_000, { capacity: 60, refillPerMinute: 600 })).toBe(60);
    });

    it('two replicas together allow no more requests than the rate limit, even if their clocks differ by one second', async () => {
      let count = 0;
      for (let attempt = 0; attempt < 200; attempt += 1)
        if ((await take('a', start - (attempt % 2) * 1_000)).allowed) count += 1;
      expect(count).toBe(10);
    });

    it('a token bucket enforces its limit even if the clock is set back', async () => {
      await allowed(10, 'a', start);
      const back = start - 3_600_000;
      expect((await take('a', back)).allowed).toBe(false);
      expect((await take('a', back + 2_000)).allowed).toBe(true);
      expect((await take('a', back + 2_000)).allowed).toBe(false);
    });
  });
}
