import type { RecordedValue } from '../execution-events/index.js';

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

/** The results used last, in memory up to a number of characters of JSON. */
export class RecentResults {
  private readonly entries = new Map<string, { readonly result: KeptResult; readonly size: number }>();
  private size = 0;

  constructor(private readonly capacity: number) {}

  get(key: string): KeptResult | undefined {
    const entry = this.entries.get(key);
    if (entry === undefined) return undefined;
    this.entries.delete(key);
    this.entries.set(key, entry);
    return entry.result;
  }

  /** @param size characters of JSON; what would take more than a tenth of the room is not kept */
  set(key: string, result: KeptResult, size: number): void {
    this.delete(key);
    if (size > this.capacity / 10) return;
    this.entries.set(key, { result, size: size + key.length });
    this.size += size + key.length;
    for (const oldest of this.entries.keys()) {
      if (this.size <= this.capacity) break;
      this.delete(oldest);
    }
  }

  private delete(key: string): void {
    this.size -= this.entries.get(key)?.size ?? 0;
    this.entries.delete(key);
  }
}
