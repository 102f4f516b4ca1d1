import { setTimeout as pause } from 'node:timers/promises';

/** A count that is older is taken again: other processes may have added to it. */
const MAX_AGE_MS = 5_000;

/** How long a full count is believed, so that refusals cost nothing. */
const FULL_MS = 1_000;

/** Keys whose counts are kept. */
const CAPACITY = 10_000;

/** Between looks at whether admissions that are being committed leave room, and how long that is waited for. */
const SETTLE_MS = 20;
const MAX_WAIT_MS = 5_000;

interface Count {
  /** Admissions left before the next count. */
  left: number;
  /** On the monotonic clock. */
  countedAt: number;
  isFull: boolean;
  /** Admitted and not settled yet. */
  inFlight: number;
  /** Settled since the count under way began: it may not have seen them. */
  settled: number;
  counting: Promise<void> | null;
}

/**
 * Keeps what is counted under a key within a limit, without a row that every admission updates. One count admits up
 * to 1 % of the limit; the next is taken before those are used up. With one process the limit is exact. With several,
 * each may exceed it by what its last count still admits: 1 % of the limit a process, at least one.
 */
export class BoundedCount {
  private readonly counts = new Map<string, Count>();
  private readonly step: number;

  /** @param count how many there are of a key, at most `atMost` */
  constructor(
    private readonly limit: number,
    private readonly count: (key: string, atMost: number) => Promise<number>,
  ) {
    this.step = Math.max(1, Math.ceil(limit / 100));
  }

  /**
   * Admits one more, which is `settle`d when it is committed or has failed.
   * @returns whether it fits; at once while the last count admits more
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

  /** An admission is committed, or never will be. */
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

  /** Drops what would be counted again anyway. */
  private forget(): void {
    const old = performance.now() - MAX_AGE_MS;
    for (const [key, { countedAt, inFlight, counting }] of this.counts)
      if (countedAt < old && inFlight === 0 && counting === null) this.counts.delete(key);
  }
}
