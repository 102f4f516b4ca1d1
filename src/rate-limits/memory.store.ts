import { Injectable } from '@nestjs/common';
import { BucketTable } from './bucket-table.js';
import { type LimitedBucket, RateLimitStore } from './rate-limit.store.js';
import { combined, refilled, take, type TakeResult } from './token-bucket.js';

/** Stores the token buckets of rate limits in memory. With several processes, each process allows the full limit. */
@Injectable()
export class MemoryRateLimitStore extends RateLimitStore {
  private readonly table = new BucketTable();

  get size(): number {
    return this.table.size;
  }

  override take(own: LimitedBucket, shared: LimitedBucket, nowMs: number): TakeResult {
    const taken = this.takeFrom(own, nowMs);
    return taken.allowed ? combined(taken, this.takeFrom(shared, nowMs)) : taken;
  }

  private takeFrom({ key, limits }: LimitedBucket, nowMs: number): TakeResult {
    const { bucket, result } = take(refilled(this.table.get(key), limits, nowMs), limits, nowMs);
    this.table.set(key, bucket, result.fullAtMs, nowMs);
    return result;
  }
}
