import { setTimeout as pause } from 'node:timers/promises';

/**
 * Maximum age of a count in milliseconds. An older count is queried again, because other processes also add entries.
 */
const MAX_AGE_MS = 5_000;

/**
 * Milliseconds for which a count that reached the limit is not queried again, so that refused admissions cost no query.
 */
const FULL_MS = 1_000;

const CAPACITY = 10_000;

/** Milliseconds after which a waiting admission checks again whether the pending admissions have ended. */
const SETTLE_MS = 20;
/** Milliseconds after which a waiting admission is refused. */
const MAX_WAIT_MS = 5_000;

interface Count {
  left: number;
  /** Time at which the last count query ended, in milliseconds of the monotonic clock. */
  countedAt: number;
  isFull: boolean;
  inFlight: number;
  /**
   * Number of admissions that ended while the current count query runs. The query may have missed their
   * entries.
   */
  settled: number;
  counting: Promise<void> | null;
}

/**
 * Limits the number of entries of each key without updating a counter row for each admission. After a count query, up
 * to one percent of the limit is admitted without another query. Several processes may together exceed the limit by the
 * entries that each of them admits between two queries.
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
   * Admits one more entry of a key. The caller must call `settle` after the commit of the entry.
   *
   * @returns true if the entry is admitted; a promise if a count query is necessary first
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

  /**
   * Ends a pending admission. The caller must call this method after the commit of the entry, whether the commit
   * succeeded or failed.
   */
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

  /** Removes counts that are older than `MAX_AGE_MS`, because their next use needs a new query anyway. */
  private forget(): void {
    const old = performance.now() - MAX_AGE_MS;
    for (const [key, { countedAt, inFlight, counting }] of this.counts)
      if (countedAt < old && inFlight === 0 && counting === null) this.counts.delete(key);
  }
}
