import { LRUCache } from 'lru-cache';
import type { RecordedValue } from '../long-values/index.js';

/** The output of a node, as it is kept. */
export interface KeptResult {
  /** A long one is kept as text, which takes less memory. */
  readonly output: RecordedValue;
  /** Epoch milliseconds. */
  readonly computedAt: number;
  /** Epoch milliseconds at which the node that kept it would have it no more. */
  readonly expiresAt: number;
}

/** Whether a node that takes results up to an age, in milliseconds, may use it. */
export function isUsable({ computedAt, expiresAt }: KeptResult, maxAgeMs: number, now: number): boolean {
  return now < expiresAt && now < computedAt + maxAgeMs;
}

/** The most recently used results, limited by the characters of their JSON and keys. */
export class RecentResults {
  private readonly entries: LRUCache<string, KeptResult>;

  constructor(private readonly capacity: number) {
    this.entries = new LRUCache({ maxSize: capacity });
  }

  get(key: string): KeptResult | undefined {
    return this.entries.get(key);
  }

  /** @param size characters of JSON; a result larger than a tenth of the capacity is not cached */
  set(key: string, result: KeptResult, size: number): void {
    if (size > this.capacity / 10) this.entries.delete(key);
    else this.entries.set(key, result, { size: size + key.length });
  }
}
