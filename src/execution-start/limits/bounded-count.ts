import { setTimeout as pause } from 'node:timers/promises';

/** Maximum age of a count in milliseconds. Other processes also add entries. */
const MAX_AGE_MS = 5_000;

/** Milliseconds for which a full count is reused. Refused admissions then cost no query. */
const FULL_MS = 1_000;

const CAPACITY = 10_000;

/** Interval in milliseconds between checks of pending admissions. */
const SETTLE_MS = 20;
/** Milliseconds after which a waiting request is refused. */
const MAX_WAIT_MS = 5_000;

interface Count {
  left: number;
  /** End of the last count in milliseconds of the monotonic clock. */
  countedAt: number;
  isFull: boolean;
  inFlight: number;
  /** Admissions that ended during the current count. The count may not include them. */
  settled: number;
  counting: Promise<void> | null;
}

/**
 * Limits the number of entries per key without updating a row per admission. Each count allows admissions of up to one
 * percent of the limit. Several processes may together exceed the limit by these admissions.
 */
export class BoundedCount {
  private readonly counts = new Map<string, Count>();
  private readonly step: number;

  /** @param count returns the number of entries of a key, at most `atMost` */
  constructor(
    private readonly limit: number,
    private readonly count: (key: string, atMost: number) => Promise<number>,
  ) {
    this.step = Math.max(1, Math.ceil(limit / 100));
  }

  /**
   * Admits one more entry. The caller must call `settle` after its commit.
   *
   * @returns whether the entry is admitted; synchronous if the last count allows it
   */
  admit(key: string): boolean | Promise<boolean> {
    const count = this.of(key);
    const isFresh = performance.now() - count.countedAt < MAX_AGE_MS;
    if (!isFresh || count.left <= 0) return this.admitAfterCount(key, count);
    count.left -= 1;
    count.inFlight += 1;
    if (count.left * 2 < this.step && this.step > 1) void this.recount(key, count).catch(() => undefined);
    return true;
  }

  /** Must be called after the commit of an admitted entry, whether the commit succeeded or failed. */
  settle(key: string): void {
    const count = this.counts.get(key);
    if (count === undefined || count.inFlight === 0) return;
    count.inFlight -= 1;
    count.settled += 1;
  }

  private async admitAfterCount(key: string, count: Count): Promise<boolean> {
    const deadline = performance.now() + MAX_WAIT_MS;
    for (;;) {
      const now = performance.now();
      if (count.isFull && now - count.countedAt < FULL_MS) return false;
      if (count.left <= 0 || now - count.countedAt >= MAX_AGE_MS) await this.recount(key, count);
      if (count.left > 0) {
        count.left -= 1;
        count.inFlight += 1;
        return true;
      }
      if (now > deadline) return false;
      if (!count.isFull && count.inFlight > 0) await pause(SETTLE_MS);
    }
  }

  private recount(key: string, count: Count): Promise<void> {
    count.counting ??= this.read(key, count).finally(() => (count.counting = null));
    return count.counting;
  }

  private async read(key: string, count: Count): Promise<void> {
    count.settled = 0;
    const counted = await this.count(key, this.limit);
    const unseen = count.inFlight + count.settled;
    count.left = Math.min(this.step, Math.max(0, this.limit - counted - unseen));
    count.isFull = counted >= this.limit;
    count.countedAt = performance.now();
  }

  private of(key: string): Count {
    const known = this.counts.get(key);
    if (known !== undefined) return known;
    if (this.counts.size >= CAPACITY) this.forget();
    const count = { left: 0, countedAt: -Infinity, isFull: false, inFlight: 0, settled: 0, counting: null };
    this.counts.set(key, count);
    return count;
  }

  /** Drops old counts, which the next use would query again. */
  private forget(): void {
    const old = performance.now() - MAX_AGE_MS;
    for (const [key, { countedAt, inFlight, counting }] of this.counts)
      if (countedAt < old && inFlight === 0 && counting === null) this.counts.delete(key);
  }
}
