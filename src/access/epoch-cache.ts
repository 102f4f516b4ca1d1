import type { AccessEpoch } from './access-epoch.js';

interface Entry<V> {
  readonly epoch: number;
  readonly value: V;
}

/**
 * Remembers what was read from the database for as long as no access changed anywhere. What was not there is
 * not remembered.
 */
export class EpochCache<V extends object> {
  private readonly entries = new Map<string, Entry<V>>();

  /** @param capacity entries kept; past it the oldest goes */
  constructor(
    private readonly epoch: AccessEpoch,
    private readonly capacity: number,
  ) {}

  /** The value, where it is known without a question to the database. */
  peek(key: string): V | undefined {
    const epoch = this.epoch.fresh();
    if (epoch === undefined) return undefined;
    const entry = this.entries.get(key);
    return entry?.epoch === epoch ? entry.value : undefined;
  }

  /** The value as it is remembered, else as `load` reads it. */
  async get(key: string, load: () => Promise<V | null>): Promise<V | null> {
    // Read before the value: a change that comes between them makes the entry old, not wrong.
    const epoch = await this.epoch.current();
    const entry = this.entries.get(key);
    if (entry?.epoch === epoch) return entry.value;
    const value = await load();
    this.entries.delete(key);
    if (value !== null) this.remember(key, { epoch, value });
    return value;
  }

  private remember(key: string, entry: Entry<V>): void {
    this.entries.set(key, entry);
    if (this.entries.size <= this.capacity) return;
    const oldest = this.entries.keys().next();
    if (oldest.done !== true) this.entries.delete(oldest.value);
  }
}
