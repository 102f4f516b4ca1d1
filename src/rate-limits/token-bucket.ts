/** A bucket's size and refill rate. Both are whole numbers, at least 1. */
export interface BucketLimits {
  /** Number of requests that a full bucket allows at the same time. */
  readonly capacity: number;
  readonly refillPerMinute: number;
}

/**
 * Remaining requests of a key at a given time. The level counts in units of 1/60,000 of a request: at one request per
 * minute, one unit is added per millisecond. Therefore all arithmetic uses whole numbers.
 */
export interface Bucket {
  /** Negative if `charge` took a request that was not left. */
  readonly level: number;
  readonly atMs: number;
}

/** Result of an attempt to take a request. */
export interface TakeResult {
  readonly allowed: boolean;
  /** Number of whole requests left. */
  readonly remaining: number;
  /** Epoch milliseconds at which the bucket is full if no further request is taken. */
  readonly fullAtMs: number;
  /** Milliseconds until one more request is allowed; 0 if a request is allowed now. */
  readonly retryAfterMs: number;
}

/** One request in units of the level. The number equals the milliseconds of a minute. */
export const REQUEST = 60_000;

/**
 * Tolerated difference between clocks, in milliseconds. Clocks of processes differ and are sometimes set back a
 * little. If the time is earlier than the last refill by up to this difference, nothing is refilled, so that no refill
 * counts twice. After a larger step back, refilling starts from the new time.
 */
export const TOLERATED_SKEW_MS = 5_000;

/** The bucket at a later time. An unknown bucket is full. Smaller limits apply immediately. */
export function refilled(bucket: Bucket | undefined, limits: BucketLimits, nowMs: number): Bucket {
  const full = limits.capacity * REQUEST;
  if (bucket === undefined) return { level: full, atMs: nowMs };
  const behindMs = bucket.atMs - nowMs;
  const inflow = behindMs < 0 ? -behindMs * limits.refillPerMinute : 0;
  return {
    level: Math.min(full, bucket.level + inflow),
    atMs: behindMs > 0 && behindMs <= TOLERATED_SKEW_MS ? bucket.atMs : nowMs,
  };
}

/** Takes one request if one is left; otherwise the bucket does not change. The given bucket must be `refilled`. */
export function take(
  bucket: Bucket,
  limits: BucketLimits,
  nowMs: number,
): { readonly bucket: Bucket; readonly result: TakeResult } {
  const allowed = bucket.level >= REQUEST;
  const left = allowed ? { level: bucket.level - REQUEST, atMs: bucket.atMs } : bucket;
  const result: TakeResult = {
    allowed,
    remaining: Math.max(0, Math.floor(left.level / REQUEST)),
    fullAtMs: fullAtMs(left, limits),
    retryAfterMs: left.level >= REQUEST ? 0 : reachedAtMs(left, limits, REQUEST) - nowMs,
  };
  return { bucket: left, result };
}

/** The bucket after several attempts to take a request. The given bucket must be `refilled`. */
export function takeMany(bucket: Bucket, attempts: number): Bucket {
  const taken = Math.min(attempts, Math.max(0, Math.floor(bucket.level / REQUEST)));
  return { level: bucket.level - taken * REQUEST, atMs: bucket.atMs };
}

/**
 * Takes one request even if none is left. The level may then be negative; later refills repay this debt.
 * @param maxDebtMinutes maximum debt, in minutes of refill
 */
export function charge(bucket: Bucket, limits: BucketLimits, maxDebtMinutes: number): Bucket {
  const floor = -maxDebtMinutes * limits.refillPerMinute * REQUEST;
  return { level: Math.max(floor, bucket.level - REQUEST), atMs: bucket.atMs };
}

/** Epoch milliseconds at which the bucket is full if no further request is taken. */
export function fullAtMs(bucket: Bucket, limits: BucketLimits): number {
  return reachedAtMs(bucket, limits, limits.capacity * REQUEST);
}

function reachedAtMs(bucket: Bucket, limits: BucketLimits, level: number): number {
  return bucket.atMs + Math.ceil((level - bucket.level) / limits.refillPerMinute);
}
