import { LRUCache } from 'lru-cache';
import type { Clock } from '../../platform/index.js';

/** Caches computed values for a fixed time. Concurrent callers with the same key share one computation. */
export class TtlCache<V> {
  private readonly entries: LRUCache<string, { readonly at: number; readonly value: Promise<V> }>;

  /**
   * @param ttlMs time in milliseconds for which a value is cached
   * @param capacity maximum number of values; a full cache removes the least recently used value
   */
  constructor(
    private readonly clock: Clock,
    private readonly ttlMs: number,
    capacity: number,
  ) {
    this.entries = new LRUCache({ max: capacity });
  }

  /**
   * Returns the value of a key, and the time of its computation in epoch milliseconds. Failed computations are not
   * cached.
   */
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
