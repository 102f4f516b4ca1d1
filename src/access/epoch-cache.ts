import { LRUCache } from 'lru-cache';
import type { AccessEpoch } from './access-epoch.js';

interface Entry<V> {
  readonly epoch: number;
  readonly value: V;
}

/**
 * Caches database rows until any process changes keys, people, roles or address lists. Each entry is valid for one
 * access epoch.
 */
export class EpochCache<V extends object> {
  private readonly entries: LRUCache<string, Entry<V>>;

  /** @param capacity maximum number of entries; a full cache evicts the least recently used one */
  constructor(
    private readonly epoch: AccessEpoch,
    capacity: number,
  ) {
    this.entries = new LRUCache({ max: capacity });
  }

  /** Returns a cached value without a database read; undefined if no valid value is cached. */
  peek(key: string): V | undefined {
    const epoch = this.epoch.fresh();
    if (epoch === undefined) return undefined;
    const entry = this.entries.get(key);
    return entry?.epoch === epoch ? entry.value : undefined;
  }

  /** Returns the cached value. Otherwise, calls `load` and caches its result; null if `load` finds no row. */
  async get(key: string, load: () => Promise<V | null>): Promise<V | null> {
    // Read the access epoch before the value. If access changes between the two reads, the cached value belongs to an
    // outdated epoch and is not used.
    const epoch = await this.epoch.current();
    const entry = this.entries.get(key);
    if (entry?.epoch === epoch) return entry.value;
    const value = await load();
    if (value === null) this.entries.delete(key);
    else this.entries.set(key, { epoch, value });
    return value;
  }
}
