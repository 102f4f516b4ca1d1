import { LRUCache } from 'lru-cache';
import type { RecordedValue } from '../long-values/index.js';

export interface CachedResult {
  /** Output of the node. A long value is kept as JSON text, which takes less memory than the parsed value. */
  readonly output: RecordedValue;
  /** Epoch milliseconds at which the node returned the output. */
  readonly computedAt: number;
  /** Epoch milliseconds from which the output must not be reused. */
  readonly expiresAt: number;
}

/**
 * Whether a node may reuse the result.
 *
 * @param maxAgeMs maximum age of the result that the node accepts, in milliseconds
 */
export function isUsable({ computedAt, expiresAt }: CachedResult, maxAgeMs: number, now: number): boolean {
  return now < expiresAt && now < computedAt + maxAgeMs;
}

/** LRU cache of node results. Its capacity limits the total number of characters of keys and JSON texts. */
export class RecentResults {
  private readonly entries: LRUCache<string, CachedResult>;

  constructor(private readonly capacity: number) {
    this.entries = new LRUCache({ maxSize: capacity });
  }

  get(key: string): CachedResult | undefined {
    return this.entries.get(key);
  }

  /**
   * Stores a result. A result larger than a tenth of the capacity is not cached.
   *
   * @param size length of the result as JSON, in characters
   */
  set(key: string, result: CachedResult, size: number): void {
    if (size > this.capacity / 10) this.entries.delete(key);
    else this.entries.set(key, result, { size: size + key.length });
  }
}
