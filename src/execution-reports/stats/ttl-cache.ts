import { LRUCache } from 'lru-cache';
import type { Clock } from '../../platform/index.js';

/** Caches results for a fixed time. Concurrent callers share one computation. */
export class TtlCache<V> {
  private readonly entries: LRUCache<string, { readonly at: number; readonly value: Promise<V> }>;

  /** @param capacity maximum number of entries; a full cache evicts the least recently used one */
  constructor(
    private readonly clock: Clock,
    private readonly ttlMs: number,
    capacity: number,
  ) {
    this.entries = new LRUCache({ max: capacity });
  }

  /** Returns the value and the time of its computation in epoch milliseconds. Failures are not cached. */
  async get(key: string, make: () => Promise<V>): Promise<{ readonly at: number; readonly value: V }> {
    const now = this.clock.now();
    const known = this.entries.get(key);
    if (known !== undefined && now < known.at + this.ttlMs) return { at: known.at, value: await known.value };
    const entry = { at: now, value: make() };
    this.entries.set(key, entry);
    try {
      return { at: now, value: await entry.value };
    } catch (error) {
      if (this.entries.peek(key) === entry) this.entries.delete(key);
      throw error;
    }
  }
}
