import type { Redis } from 'ioredis';
import type { RedisLink } from '../platform/index.js';
import { RateLimitStore } from './rate-limit.store.js';
import { type BucketLimits, REQUEST, type TakeResult, TOLERATED_SKEW_MS } from './token-bucket.js';

/**
 * `refilled` and `take` of `token-bucket.ts`, as one step at the server. A bucket is "level:atMs"; once it is
 * full again it says nothing that an unknown one does not, so it expires.
 */
const TAKE = `
local capacity, rate, now = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local request, skew = tonumber(ARGV[4]), tonumber(ARGV[5])
local full = capacity * request
local level, at = full, now
local known = redis.call('GET', KEYS[1])
if known then
  local colon = string.find(known, ':', 1, true)
  level, at = tonumber(string.sub(known, 1, colon - 1)), tonumber(string.sub(known, colon + 1))
  local behind = at - now
  if behind < 0 then level = level - behind * rate end
  if level > full then level = full end
  if behind <= 0 or behind > skew then at = now end
end
local allowed = 0
if level >= request then
  allowed = 1
  level = level - request
end
local fullAt = at + math.ceil((full - level) / rate)
local retryAfter = 0
if level < request then retryAfter = at + math.ceil((request - level) / rate) - now end
redis.call('SET', KEYS[1], string.format('%.0f:%.0f', level, at), 'PX', string.format('%.0f', fullAt - now + skew))
return {allowed, math.floor(level / request), fullAt, retryAfter}
`;

interface WithTake extends Redis {
  takeOne(
    key: string,
    capacity: number,
    refillPerMinute: number,
    nowMs: number,
    request: number,
    skewMs: number,
  ): Promise<readonly [number, number, number, number]>;
}

/** Buckets in Redis: one count over all processes. While it is away each process counts for itself. */
export class RedisRateLimitStore extends RateLimitStore {
  private readonly client: WithTake;
  private readonly prefix: string;

  /** @param alone counts while Redis is away; its buckets begin full */
  constructor(
    private readonly redis: RedisLink,
    private readonly alone: RateLimitStore,
  ) {
    super();
    redis.client.defineCommand('takeOne', { numberOfKeys: 1, lua: TAKE });
    this.client = redis.client as WithTake;
    this.prefix = `${redis.prefix}:rate:`;
  }

  override take(key: string, limits: BucketLimits, nowMs: number): TakeResult | Promise<TakeResult> {
    return this.redis.isUp ? this.takeShared(key, limits, nowMs) : this.alone.take(key, limits, nowMs);
  }

  private async takeShared(key: string, limits: BucketLimits, nowMs: number): Promise<TakeResult> {
    const { capacity, refillPerMinute } = limits;
    try {
      const [allowed, remaining, fullAtMs, retryAfterMs] = await this.redis.ask(() =>
        this.client.takeOne(this.prefix + key, capacity, refillPerMinute, nowMs, REQUEST, TOLERATED_SKEW_MS),
      );
      return { allowed: allowed === 1, remaining, fullAtMs, retryAfterMs };
    } catch {
      return this.alone.take(key, limits, nowMs);
    }
  }
}
