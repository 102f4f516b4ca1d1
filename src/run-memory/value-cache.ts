import { LRUCache } from 'lru-cache';
import type { Json } from '../expressions/index.js';
import type { LongValue } from '../long-values/index.js';

/** Maximum fraction of the cache that one value may take. A larger value would evict most other values. */
const LARGEST_SHARE = 1 / 4;

export class ValueCache {
  private readonly entries: LRUCache<LongValue, { readonly value: Json }>;

  constructor(private readonly capacity: number) {
    this.entries = new LRUCache({ maxSize: Math.floor(capacity) });
  }

  get(key: LongValue): Json | undefined {
    return this.entries.get(key)?.value;
  }

  set(key: LongValue, value: Json): void {
    const largest = this.capacity * LARGEST_SHARE;
    const size = heapBytes(value, largest);
    if (size > largest) this.entries.delete(key);
    else this.entries.set(key, { value }, { size });
  }

  delete(key: LongValue): void {
    this.entries.delete(key);
  }
}

/**
 * Returns the approximate heap size of a value in bytes. Counting ends above the limit. A list of small objects takes
 * about twenty times the length of its JSON.
 */
export function heapBytes(value: Json, limit: number): number {
  if (typeof value === 'string') return 24 + value.length;
  if (typeof value !== 'object' || value === null) return 8;
  let bytes = 48;
  for (const element of Object.values(value) as readonly Json[]) {
    bytes += 8 + heapBytes(element, limit - bytes);
    if (bytes > limit) break;
  }
  return bytes;
}
