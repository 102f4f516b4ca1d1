import { LRUCache } from 'lru-cache';
import type { AccessEpoch } from './access-epoch.js';

interface Entry<V> {
  readonly epoch: number;
  readonly value: V;
}

/** Caches database reads until any caller's access changes, in any process. A missing row is not cached. */
export class EpochCache<V extends object> {
  private readonly entries: LRUCache<string, Entry<V>>;

  /** @param capacity maximum number of entries; the least recently used is evicted */
  constructor(
    private readonly epoch: AccessEpoch,
    capacity: number,
  ) {
    this.entries = new LRUCache({ max: capacity });
  }

  /** The cached value if it is known without a database read. */
  peek(key: string): V | undefined {
    const epoch = this.epoch.fresh();
    if (epoch === undefined) return undefined;
    const entry = this.entries.get(key);
    return entry?.epoch === epoch ? entry.value : undefined;
  }

  /** The cached value, else the result of `load`. */
  async get(key: string, load: () => Promise<V | null>): Promise<V | null> {
    // Read the epoch before the value: a change between the two makes the entry stale, not wrong.
    const epoch = await this.epoch.current();
    const entry = this.entries.get(key);
    if (entry?.epoch === epoch) return entry.value;
    const value = await load();
    if (value === null) this.entries.delete(key);
    else this.entries.set(key, { epoch, value });
    return value;
  }
}
