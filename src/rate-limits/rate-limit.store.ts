import type { BucketLimits, TakeResult } from './token-bucket.js';

/** Where buckets are kept: in this process, or in one place that all replicas count in. */
export abstract class RateLimitStore {
  /**
   * Takes one request out of a key's bucket, as one indivisible step.
   * @param limits may change from call to call; the bucket is cut down to a smaller capacity at once
   * @param nowMs epoch milliseconds, whole
   */
  abstract take(key: string, limits: BucketLimits, nowMs: number): TakeResult | Promise<TakeResult>;
}
