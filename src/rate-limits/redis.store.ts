import type { Redis } from 'ioredis';
import type { RedisLink } from '../redis/index.js';
import { type LimitedBucket, RateLimitStore } from './rate-limit.store.js';
import {
  type Bucket,
  combined,
  REQUEST,
  take,
  type TakeResult,
  takeMany,
  TOLERATED_SKEW_MS,
} from './token-bucket.js';

/**
 * Lua script that refills two token buckets and takes requests from them, atomically in Redis: the bucket of a caller,
 * and the bucket that the caller shares with the team. Computes the same as `refilled` and `takeMany` in
 * `token-bucket.ts`. A bucket is stored as "level:atMs" and expires when it is full. The script returns both refilled
 * buckets before the requests are taken.
 */
const TAKE_SCRIPT = `
local now, request, skew = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local function takeMany(key, capacity, rate, wanted)
  local full = capacity * request
  local level, at = full, now
  local known = redis.call('GET', key)
  if known then
    local colon = string.find(known, ':', 1, true)
    level, at = tonumber(string.sub(known, 1, colon - 1)), tonumber(string.sub(known, colon + 1))
    local behind = at - now
    if behind < 0 then level = level - behind * rate end
    if level > full then level = full end
    if behind <= 0 or behind > skew then at = now end
  end
  local taken = math.min(wanted, math.max(0, math.floor(level / request)))
  local left = level - taken * request
  local fullAt = at + math.ceil((full - left) / rate)
  redis.call('SET', key, string.format('%.0f:%.0f', left, at), 'PX', string.format('%.0f', fullAt - now + skew))
  return taken, level, at
end
local taken, level, at = takeMany(KEYS[1], tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[4]))
local _, sharedLevel, sharedAt = takeMany(KEYS[2], tonumber(ARGV[7]), tonumber(ARGV[8]), taken)
return {level, at, sharedLevel, sharedAt}
`;

interface RedisWithTakeMany extends Redis {
  takeMany(
    ownKey: string,
    sharedKey: string,
    nowMs: number,
    request: number,
    skewMs: number,
    wanted: number,
    ownCapacity: number,
    ownRefillPerMinute: number,
    sharedCapacity: number,
    sharedRefillPerMinute: number,
  ): Promise<readonly [ownLevel: number, ownAtMs: number, sharedLevel: number, sharedAtMs: number]>;
}

/** A caller's bucket and the team's bucket after their refill, before the pending requests are taken. */
interface RefilledBuckets {
  readonly own: Bucket;
  readonly shared: Bucket;
}

/** Requests of one caller in the same turn of the event loop. They share a single Redis command. */
interface TakeBatch {
  readonly own: LimitedBucket;
  readonly shared: LimitedBucket;
  wanted: number;
  readonly buckets: Promise<RefilledBuckets>;
}

/**
 * Stores the token buckets of rate limits in Redis, shared by all processes. While Redis is unavailable, each process
 * counts only its own requests.
 */
export class RedisRateLimitStore extends RateLimitStore {
  private readonly client: RedisWithTakeMany;
  private readonly prefix: string;
  private readonly openBatches = new Map<string, TakeBatch>();

  /** @param fallback store of this process, used while Redis is unavailable. Its buckets are full at first. */
  constructor(
    private readonly redis: RedisLink,
    private readonly fallback: RateLimitStore,
  ) {
    super();
    redis.client.defineCommand('takeMany', { numberOfKeys: 2, lua: TAKE_SCRIPT });
    this.client = redis.client as RedisWithTakeMany;
    this.prefix = `${redis.prefix}:rate:`;
  }

  override take(own: LimitedBucket, shared: LimitedBucket, nowMs: number): TakeResult | Promise<TakeResult> {
    return this.redis.isUp ? this.takeFromRedis(own, shared, nowMs) : this.fallback.take(own, shared, nowMs);
  }

  private async takeFromRedis(own: LimitedBucket, shared: LimitedBucket, nowMs: number): Promise<TakeResult> {
    const open = this.openBatches.get(own.key);
    const isJoinable =
      open?.own.limits === own.limits &&
      open.shared.key === shared.key &&
      open.shared.limits === shared.limits;
    const batch = isJoinable ? open : this.openBatch(own, shared, nowMs);
    const takenBefore = batch.wanted;
    batch.wanted += 1;
    try {
      const buckets = await batch.buckets;
      const takeFrom = (bucket: Bucket, { limits }: LimitedBucket): TakeResult =>
        take(takeMany(bucket, takenBefore), limits, nowMs).result;
      return combined(takeFrom(buckets.own, own), takeFrom(buckets.shared, shared));
    } catch {
      return this.fallback.take(own, shared, nowMs);
    }
  }

  private openBatch(own: LimitedBucket, shared: LimitedBucket, nowMs: number): TakeBatch {
    const batch: TakeBatch = {
      own,
      shared,
      wanted: 0,
      buckets: endOfEventLoopTurn().then(() => this.send(batch, nowMs)),
    };
    this.openBatches.set(own.key, batch);
    return batch;
  }

  private async send(batch: TakeBatch, nowMs: number): Promise<RefilledBuckets> {
    const { own, shared, wanted } = batch;
    if (this.openBatches.get(own.key) === batch) this.openBatches.delete(own.key);
    const [ownLevel, ownAtMs, sharedLevel, sharedAtMs] = await this.redis.run(() =>
      this.client.takeMany(
        this.prefix + own.key,
        this.prefix + shared.key,
        nowMs,
        REQUEST,
        TOLERATED_SKEW_MS,
        wanted,
        own.limits.capacity,
        own.limits.refillPerMinute,
        shared.limits.capacity,
        shared.limits.refillPerMinute,
      ),
    );
    return { own: { level: ownLevel, atMs: ownAtMs }, shared: { level: sharedLevel, atMs: sharedAtMs } };
  }
}

function endOfEventLoopTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
