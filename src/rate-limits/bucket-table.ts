import type { Bucket } from './token-bucket.js';

interface Entry {
  bucket: Bucket;
  fullAtMs: number;
}

/** Buckets looked at for every new one. Two keep the table at most about twice as large as it has to be. */
const SWEPT_PER_INSERT = 2;

/**
 * Buckets by key, in memory. A full bucket says nothing that an unknown one does not, so it is forgotten: each
 * new key pays for looking at two old ones. There are no timers.
 */
export class BucketTable {
  private readonly entries = new Map<string, Entry>();
  /** Goes round and round; a map's iterator sees what is added and survives what is deleted. */
  private hand = this.entries.entries();

  /** @param maxSize beyond it, a new key pushes out the one that the sweep comes to next */
  constructor(private readonly maxSize = Infinity) {}

  get size(): number {
    return this.entries.size;
  }

  get(key: string): Bucket | undefined {
    return this.entries.get(key)?.bucket;
  }

  /** @param fullAtMs when the bucket may be forgotten, epoch milliseconds */
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
