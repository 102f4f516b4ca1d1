import type { BucketLimits, TakeResult } from './token-bucket.js';

/** The token bucket of a caller or a team, with its current limits. The limits may change between calls. */
export interface LimitedBucket {
  readonly key: string;
  readonly limits: BucketLimits;
}

/** Stores the token buckets of rate limits, either in this process or in Redis for all processes. */
export abstract class RateLimitStore {
  /**
   * Takes one request from a caller's bucket, and one from the bucket that the caller shares with the team. If the
   * caller's bucket is empty, takes nothing from the shared bucket. Other calls take nothing in between.
   *
   * @param nowMs whole epoch milliseconds
   * @returns the state of the caller's bucket; refused if one of the buckets is empty
   */
  abstract take(own: LimitedBucket, shared: LimitedBucket, nowMs: number): TakeResult | Promise<TakeResult>;
}
