/** A bucket's size and refill rate, both whole numbers of at least 1. */
export interface BucketLimits {
  readonly capacity: number;
  readonly refillPerMinute: number;
}

/**
 * Remaining requests of a key. The level counts in 1/60,000 of a request, so that all arithmetic uses whole numbers.
 */
export interface Bucket {
  /** Negative if `charge` took a request that was not left. */
  readonly level: number;
  readonly atMs: number;
}

export interface TakeResult {
  readonly allowed: boolean;
  readonly remaining: number;
  /** Epoch milliseconds at which the bucket is full without further requests. */
  readonly fullAtMs: number;
  /** Milliseconds until one more request is allowed, or 0. */
  readonly retryAfterMs: number;
}

/** One request in units of the level, equal to the milliseconds of a minute. */
export const REQUEST = 60_000;

/**
 * Tolerated milliseconds between the clocks of processes. A smaller step back refills nothing, so that no refill
 * counts twice.
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

/** Takes one request if one is left. The bucket must be `refilled`. */
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

/** The bucket after several attempts to take a request. The bucket must be `refilled`. */
export function takeMany(bucket: Bucket, attempts: number): Bucket {
  const taken = Math.min(attempts, Math.max(0, Math.floor(bucket.level / REQUEST)));
  return { level: bucket.level - taken * REQUEST, atMs: bucket.atMs };
}

/**
 * Takes one request even if none is left. Later refills repay the negative level.
 *
 * @param maxDebtMinutes maximum debt, in minutes of refill
 */
export function charge(bucket: Bucket, limits: BucketLimits, maxDebtMinutes: number): Bucket {
  const floor = -maxDebtMinutes * limits.refillPerMinute * REQUEST;
  return { level: Math.max(floor, bucket.level - REQUEST), atMs: bucket.atMs };
}

/** Epoch milliseconds at which the bucket is full without further requests. */
export function fullAtMs(bucket: Bucket, limits: BucketLimits): number {
  return reachedAtMs(bucket, limits, limits.capacity * REQUEST);
}

function reachedAtMs(bucket: Bucket, limits: BucketLimits, level: number): number {
  return bucket.atMs + Math.ceil((level - bucket.level) / limits.refillPerMinute);
}
