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

interface WithTake extends Redis {
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
interface PendingTakes {
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
  private readonly client: WithTake;
  private readonly prefix: string;
  private readonly turns = new Map<string, PendingTakes>();

  /** @param alone store of this process for outages of Redis, with full buckets at first */
  constructor(
    private readonly redis: RedisLink,
    private readonly alone: RateLimitStore,
  ) {
    super();
    redis.client.defineCommand('takeMany', { numberOfKeys: 2, lua: TAKE_SCRIPT });
    this.client = redis.client as WithTake;
    this.prefix = `${redis.prefix}:rate:`;
  }

  override take(own: LimitedBucket, shared: LimitedBucket, nowMs: number): TakeResult | Promise<TakeResult> {
    return this.redis.isUp ? this.takeInTurn(own, shared, nowMs) : this.alone.take(own, shared, nowMs);
  }

  private async takeInTurn(own: LimitedBucket, shared: LimitedBucket, nowMs: number): Promise<TakeResult> {
    const begun = this.turns.get(own.key);
    const isSame =
      begun?.own.limits === own.limits &&
      begun.shared.key === shared.key &&
      begun.shared.limits === shared.limits;
    const turn = isSame ? begun : this.begin(own, shared, nowMs);
    const before = turn.wanted;
    turn.wanted += 1;
    try {
      const buckets = await turn.buckets;
      const takeFrom = (bucket: Bucket, { limits }: LimitedBucket): TakeResult =>
        take(takeMany(bucket, before), limits, nowMs).result;
      return combined(takeFrom(buckets.own, own), takeFrom(buckets.shared, shared));
    } catch {
      return this.alone.take(own, shared, nowMs);
    }
  }

  private begin(own: LimitedBucket, shared: LimitedBucket, nowMs: number): PendingTakes {
    const turn: PendingTakes = {
      own,
      shared,
      wanted: 0,
      buckets: endOfTurn().then(() => this.ask(turn, nowMs)),
    };
    this.turns.set(own.key, turn);
    return turn;
  }

  private async ask(turn: PendingTakes, nowMs: number): Promise<RefilledBuckets> {
    const { own, shared, wanted } = turn;
    if (this.turns.get(own.key) === turn) this.turns.delete(own.key);
    const [ownLevel, ownAtMs, sharedLevel, sharedAtMs] = await this.redis.ask(() =>
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

function endOfTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
