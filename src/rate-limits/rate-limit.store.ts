import type { BucketLimits, TakeResult } from './token-bucket.js';

/** Stores the token buckets of rate limits, either in this process or in Redis for all processes. */
export abstract class RateLimitStore {
  /**
   * Takes one request from the token bucket of a key, atomically.
   *
   * @param limits may change between calls; a smaller capacity applies immediately
   * @param nowMs whole epoch milliseconds
   */
  abstract take(key: string, limits: BucketLimits, nowMs: number): TakeResult | Promise<TakeResult>;
}
