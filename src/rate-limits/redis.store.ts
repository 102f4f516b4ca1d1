import type { Redis } from 'ioredis';
import type { RedisLink } from '../redis/index.js';
import { RateLimitStore } from './rate-limit.store.js';
import {
  type Bucket,
  type BucketLimits,
  REQUEST,
  take,
  type TakeResult,
  takeMany,
  TOLERATED_SKEW_MS,
} from './token-bucket.js';

/**
 * Lua script that refills a token bucket and takes requests from the bucket, atomically in Redis. Computes
 * the same as `refilled` and `takeMany` in `token-bucket.ts`. A bucket is stored as "level:atMs" and expires
 * when it is full. The script returns the refilled bucket before the requests are taken.
 */
const TAKE_SCRIPT = `
local capacity, rate, now = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local request, skew, wanted = tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])
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
local left = level - math.min(wanted, math.max(0, math.floor(level / request))) * request
local fullAt = at + math.ceil((full - left) / rate)
redis.call('SET', KEYS[1], string.format('%.0f:%.0f', left, at), 'PX', string.format('%.0f', fullAt - now + skew))
return {level, at}
`;

interface WithTake extends Redis {
  takeMany(
    key: string,
    capacity: number,
    refillPerMinute: number,
    nowMs: number,
    request: number,
    skewMs: number,
    wanted: number,
  ): Promise<readonly [level: number, atMs: number]>;
}

/** Requests that take from one bucket in the same turn of the event loop. They share a single Redis command. */
interface PendingTakes {
  readonly limits: BucketLimits;
  wanted: number;
  /** The state of the bucket after its refill, before the first pending request is taken. */
  readonly bucket: Promise<Bucket>;
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
    redis.client.defineCommand('takeMany', { numberOfKeys: 1, lua: TAKE_SCRIPT });
    this.client = redis.client as WithTake;
    this.prefix = `${redis.prefix}:rate:`;
  }

  override take(key: string, limits: BucketLimits, nowMs: number): TakeResult | Promise<TakeResult> {
    return this.redis.isUp ? this.takeShared(key, limits, nowMs) : this.alone.take(key, limits, nowMs);
  }

  private async takeShared(key: string, limits: BucketLimits, nowMs: number): Promise<TakeResult> {
    const begun = this.turns.get(key);
    const turn = begun?.limits === limits ? begun : this.begin(key, limits, nowMs);
    const before = turn.wanted;
    turn.wanted += 1;
    try {
      return take(takeMany(await turn.bucket, before), limits, nowMs).result;
    } catch {
      return this.alone.take(key, limits, nowMs);
    }
  }

  private begin(key: string, limits: BucketLimits, nowMs: number): PendingTakes {
    const turn: PendingTakes = {
      limits,
      wanted: 0,
      bucket: endOfTurn().then(() => this.ask(key, turn, nowMs)),
    };
    this.turns.set(key, turn);
    return turn;
  }

  private async ask(key: string, turn: PendingTakes, nowMs: number): Promise<Bucket> {
    if (this.turns.get(key) === turn) this.turns.delete(key);
    const { capacity, refillPerMinute } = turn.limits;
    const [level, atMs] = await this.redis.ask(() =>
      this.client.takeMany(
        this.prefix + key,
        capacity,
        refillPerMinute,
        nowMs,
        REQUEST,
        TOLERATED_SKEW_MS,
        turn.wanted,
      ),
    );
    return { level, atMs };
  }
}

function endOfTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
