import type { Json } from '../../expressions/index.js';
import type { LongValue } from '../../execution-events/index.js';

/** What one value may take of the cache: a larger one is read again instead of pushing out all others. */
const LARGEST_SHARE = 1 / 4;

/** Long values that were read last, in memory up to a number of bytes of heap. */
export class ValueCache {
  private readonly entries = new Map<LongValue, { readonly value: Json; readonly bytes: number }>();
  private bytes = 0;

  constructor(private readonly capacity: number) {}

  get(key: LongValue): Json | undefined {
    const entry = this.entries.get(key);
    if (entry === undefined) return undefined;
    this.entries.delete(key);
    this.entries.set(key, entry);
    return entry.value;
  }

  set(key: LongValue, value: Json): void {
    this.delete(key);
    const largest = this.capacity * LARGEST_SHARE;
    const bytes = heapBytes(value, largest);
    if (bytes > largest) return;
    this.entries.set(key, { value, bytes });
    this.bytes += bytes;
    for (const oldest of this.entries.keys()) {
      if (this.bytes <= this.capacity) break;
      this.delete(oldest);
    }
  }

  delete(key: LongValue): void {
    this.bytes -= this.entries.get(key)?.bytes ?? 0;
    this.entries.delete(key);
  }
}

/** Bytes of heap that a value takes, about: a list of small objects takes twenty times its JSON. Counts up to a limit. */
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
