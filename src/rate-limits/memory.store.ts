import { Injectable } from '@nestjs/common';
import { BucketTable } from './bucket-table.js';
import { RateLimitStore } from './rate-limit.store.js';
import { type BucketLimits, refilled, take, type TakeResult } from './token-bucket.js';

/** Stores the token buckets of rate limits in memory. With several processes, each process allows the full limit. */
@Injectable()
export class MemoryRateLimitStore extends RateLimitStore {
  private readonly table = new BucketTable();

  get size(): number {
    return this.table.size;
  }

  override take(key: string, limits: BucketLimits, nowMs: number): TakeResult {
    const { bucket, result } = take(refilled(this.table.get(key), limits, nowMs), limits, nowMs);
    this.table.set(key, bucket, result.fullAtMs, nowMs);
    return result;
  }
}
