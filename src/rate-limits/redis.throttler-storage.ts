import type { ThrottlerStorage } from '@nestjs/throttler';
import type { Redis } from 'ioredis';
import type { RedisLink } from '../redis/index.js';

type ThrottlerRecord = Awaited<ReturnType<ThrottlerStorage['increment']>>;

/**
 * Lua script that counts one request in a fixed window, and blocks the caller when the limit is exceeded. KEYS:
 * counter, block. ARGV: window in milliseconds, limit, block in milliseconds. Returns the count, and the remaining
 * milliseconds of the window and the block.
 */
const INCREMENT_SCRIPT = `
local blocked = redis.call('PTTL', KEYS[2])
if blocked > 0 then return {tonumber(ARGV[2]) + 1, math.max(0, redis.call('PTTL', KEYS[1])), blocked} end
local hits = redis.call('INCR', KEYS[1])
if hits == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
local left = redis.call('PTTL', KEYS[1])
if hits <= tonumber(ARGV[2]) then return {hits, left, 0} end
local block = tonumber(ARGV[3])
if block <= 0 then block = left end
redis.call('SET', KEYS[2], '1', 'PX', block)
redis.call('DEL', KEYS[1])
return {hits, left, block}
`;

interface RedisWithThrottle extends Redis {
  throttle(
    hitsKey: string,
    blockKey: string,
    ttlMs: number,
    limit: number,
    blockMs: number,
  ): Promise<readonly [hits: number, leftMs: number, blockedMs: number]>;
}

/**
 * Stores the counters of `@Throttle` in Redis, shared by all processes. While Redis is unavailable, each process counts
 * separately.
 */
export class RedisThrottlerStorage implements ThrottlerStorage {
  private readonly client: RedisWithThrottle;

  /** @param fallback storage of this process, used while Redis is unavailable */
  constructor(
    private readonly redis: RedisLink,
    private readonly fallback: ThrottlerStorage,
  ) {
    redis.client.defineCommand('throttle', { numberOfKeys: 2, lua: INCREMENT_SCRIPT });
    this.client = redis.client as RedisWithThrottle;
  }

  /** @returns times in seconds, the unit of the throttler */
  async increment(
    key: string,
    ttlMs: number,
    limit: number,
    blockMs: number,
    throttler: string,
  ): Promise<ThrottlerRecord> {
    if (this.redis.isUp)
      try {
        return await this.incrementInRedis(
          `${this.redis.prefix}:throttle:${throttler}:${key}`,
          ttlMs,
          limit,
          blockMs,
        );
      } catch {
        // The Redis connection has already logged the error. The request is counted in this process instead.
      }
    return this.fallback.increment(key, ttlMs, limit, blockMs, throttler);
  }

  private async incrementInRedis(
    key: string,
    ttlMs: number,
    limit: number,
    blockMs: number,
  ): Promise<ThrottlerRecord> {
    const [hits, leftMs, blockedMs] = await this.redis.run(() =>
      this.client.throttle(key, `${key}:blocked`, ttlMs, limit, blockMs),
    );
    return {
      totalHits: hits,
      timeToExpire: Math.ceil(leftMs / 1_000),
      isBlocked: blockedMs > 0,
      timeToBlockExpire: Math.ceil(blockedMs / 1_000),
    };
  }
}
