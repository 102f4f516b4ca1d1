/**
 * Capacity of a token bucket in requests, and refill rate in requests per minute. Both are whole numbers of at least 1.
 */
export interface BucketLimits {
  readonly capacity: number;
  readonly refillPerMinute: number;
}

/**
 * State of a token bucket. The unit of the level is 1/60,000 of a request, so that all arithmetic uses whole numbers.
 */
export interface Bucket {
  /**
   * Remaining requests in units of 1/60,000. The level is negative after a request was taken from an empty
   * bucket (`charge`).
   */
  readonly level: number;
  readonly atMs: number;
}

export interface TakeResult {
  readonly allowed: boolean;
  readonly remaining: number;
  /** Time at which the bucket will be full if no further request is taken, in epoch milliseconds. */
  readonly fullAtMs: number;
  /** Milliseconds until one more request is allowed; 0 if one is allowed now. */
  readonly retryAfterMs: number;
}

/** One request in units of a bucket's level. A refill of one request per minute adds one unit per millisecond. */
export const REQUEST = 60_000;

/**
 * Maximum tolerated difference between the clocks of processes, in milliseconds. If the time of a request is earlier
 * than the bucket's time by at most this difference, the bucket keeps its time. Otherwise, the bucket would be refilled
 * twice for the same period.
 */
export const TOLERATED_SKEW_MS = 5_000;

/**
 * Returns the bucket with the refill up to `nowMs`. A missing bucket is full. A smaller capacity applies immediately.
 */
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

/** Takes one request from a bucket that is already refilled, if a request is left. */
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

/**
 * Combines the results of a caller's bucket and of the bucket that the caller shares with the team.
 *
 * @returns the state of the caller's bucket; refused if one of the two buckets refuses the request
 */
export function combined(own: TakeResult, shared: TakeResult): TakeResult {
  if (!own.allowed || shared.allowed) return own;
  return { ...own, allowed: false, retryAfterMs: shared.retryAfterMs };
}

/** Takes up to `attempts` requests from a bucket that is already refilled, but no more than are left. */
export function takeMany(bucket: Bucket, attempts: number): Bucket {
  const taken = Math.min(attempts, Math.max(0, Math.floor(bucket.level / REQUEST)));
  return { level: bucket.level - taken * REQUEST, atMs: bucket.atMs };
}

/**
 * Takes one request even from an empty bucket. The level becomes negative, and later refills repay the debt.
 *
 * @param maxDebtMinutes maximum debt, in minutes of refill
 */
export function charge(bucket: Bucket, limits: BucketLimits, maxDebtMinutes: number): Bucket {
  const floor = -maxDebtMinutes * limits.refillPerMinute * REQUEST;
  return { level: Math.max(floor, bucket.level - REQUEST), atMs: bucket.atMs };
}

/** Returns the time at which the bucket will be full if no further request is taken, in epoch milliseconds. */
export function fullAtMs(bucket: Bucket, limits: BucketLimits): number {
  return reachedAtMs(bucket, limits, limits.capacity * REQUEST);
}

function reachedAtMs(bucket: Bucket, limits: BucketLimits, level: number): number {
  return bucket.atMs + Math.ceil((level - bucket.level) / limits.refillPerMinute);
}
