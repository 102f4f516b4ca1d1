import type { BucketLimits, TakeResult } from './token-bucket.js';

/** Stores buckets: in this process, or shared by all replicas. */
export abstract class RateLimitStore {
  /**
   * Takes one request from a key's bucket, atomically.
   * @param limits may change between calls; a smaller capacity applies at once
   * @param nowMs whole epoch milliseconds
   */
  abstract take(key: string, limits: BucketLimits, nowMs: number): TakeResult | Promise<TakeResult>;
}
