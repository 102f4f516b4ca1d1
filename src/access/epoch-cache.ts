import { LRUCache } from 'lru-cache';
import type { AccessEpoch } from './access-epoch.js';

interface Entry<V> {
  readonly epoch: number;
  readonly value: V;
}

/** Caches database rows until any process changes keys, people, roles or address lists. */
export class EpochCache<V extends object> {
  private readonly entries: LRUCache<string, Entry<V>>;

  /** @param capacity maximum number of entries; a full cache evicts the least recently used one */
  constructor(
    private readonly epoch: AccessEpoch,
    capacity: number,
  ) {
    this.entries = new LRUCache({ max: capacity });
  }

  /** Undefined if the answer would need a database read. */
  peek(key: string): V | undefined {
    const epoch = this.epoch.fresh();
    if (epoch === undefined) return undefined;
    const entry = this.entries.get(key);
    return entry?.epoch === epoch ? entry.value : undefined;
  }

  /** Calls `load` if the value is not cached; null if `load` finds no row. */
  async get(key: string, load: () => Promise<V | null>): Promise<V | null> {
    // Reading the epoch first makes the entry invalid if access changes before the value is read.
    const epoch = await this.epoch.current();
    const entry = this.entries.get(key);
    if (entry?.epoch === epoch) return entry.value;
    const value = await load();
    if (value === null) this.entries.delete(key);
    else this.entries.set(key, { epoch, value });
    return value;
  }
}
