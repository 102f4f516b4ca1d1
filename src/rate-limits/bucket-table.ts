import type { Bucket } from './token-bucket.js';

interface Entry {
  bucket: Bucket;
  fullAtMs: number;
}

/** Number of buckets that each insertion checks. Full buckets among them are deleted, so that the table stays small. */
const SWEPT_PER_INSERT = 2;

/**
 * Token buckets in memory, by key. A full bucket can be deleted without loss, because a missing bucket counts as full.
 */
export class BucketTable {
  private readonly entries = new Map<string, Entry>();
  /** Cyclic iterator over the buckets, which finds buckets to delete. Insertions and deletions do not invalidate it. */
  private hand = this.entries.entries();

  /** @param maxSize maximum number of keys; a further key evicts another bucket */
  constructor(private readonly maxSize = Infinity) {}

  get size(): number {
    return this.entries.size;
  }

  get(key: string): Bucket | undefined {
    return this.entries.get(key)?.bucket;
  }

  /** @param fullAtMs time at which the bucket is full and may be dropped, epoch milliseconds */
  set(key: string, bucket: Bucket, fullAtMs: number, nowMs: number): void {
    const entry = this.entries.get(key);
    if (entry === undefined) {
      this.makeRoom(nowMs);
      this.entries.set(key, { bucket, fullAtMs });
    } else {
      entry.bucket = bucket;
      entry.fullAtMs = fullAtMs;
    }
  }

  private makeRoom(nowMs: number): void {
    for (let looked = 0; looked < SWEPT_PER_INSERT; looked += 1) {
      const next = this.next();
      if (next !== undefined && next[1].fullAtMs <= nowMs) this.entries.delete(next[0]);
    }
    if (this.entries.size < this.maxSize) return;
    const next = this.next();
    if (next !== undefined) this.entries.delete(next[0]);
  }

  private next(): readonly [string, Entry] | undefined {
    const step = this.hand.next();
    if (step.done !== true) return step.value;
    this.hand = this.entries.entries();
    return this.hand.next().value;
  }
}
