import type { Clock } from '../../platform/index.js';

/** What was worked out lately: whoever asks again within a time is given the same, also while it is worked out. */
export class Remembered<V> {
  private readonly entries = new Map<string, { readonly at: number; readonly value: Promise<V> }>();

  /** @param capacity entries; past it the oldest goes */
  constructor(
    private readonly clock: Clock,
    private readonly keptMs: number,
    private readonly capacity: number,
  ) {}

  /** The value, and when it was asked for first (epoch milliseconds). A failure is not remembered. */
  async get(key: string, make: () => Promise<V>): Promise<{ readonly at: number; readonly value: V }> {
    const now = this.clock.now();
    const known = this.entries.get(key);
    if (known !== undefined && now < known.at + this.keptMs)
      return { at: known.at, value: await known.value };
    const entry = { at: now, value: make() };
    this.entries.delete(key);
    this.entries.set(key, entry);
    const [oldest] = this.entries.keys();
    if (this.entries.size > this.capacity && oldest !== undefined) this.entries.delete(oldest);
    try {
      return { at: now, value: await entry.value };
    } catch (error) {
      if (this.entries.get(key) === entry) this.entries.delete(key);
      throw error;
    }
  }
}
