import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, type Clock } from '../platform/index.js';
import type { UnitOfWork } from '../storage/index.js';
import { AccessEpochRepository } from './access-epoch.repository.js';

/** How long a value read from the database is used: half the time a revocation may take to reach every process. */
const FRESH_MS = 500;

/**
 * Notifies every process of changes to access: keys, people, roles, address lists. Such a change increments a counter
 * in the same commit. A process that caches verified keys reads the counter and drops its cache when the counter grew.
 * A revocation reaches every process without Redis, at the cost of one row read per half second of traffic.
 */
@Injectable()
export class AccessEpoch {
  private epoch = -1;
  private readAt = Number.NEGATIVE_INFINITY;
  private reading: Promise<number> | undefined;
  /** Grows with every change made by this process, so that a read begun before the change is discarded. */
  private localChanges = 0;

  constructor(
    private readonly repository: AccessEpochRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** The epoch, if it was read recently enough to need no query. */
  fresh(): number | undefined {
    const age = this.clock.now() - this.readAt;
    return age >= 0 && age < FRESH_MS ? this.epoch : undefined;
  }

  /** Makes the next call query the database, however fresh the cached value is. */
  doubt(): void {
    this.readAt = Number.NEGATIVE_INFINITY;
  }

  /** The epoch, at most half a second old. Concurrent callers share one query. */
  async current(): Promise<number> {
    const fresh = this.fresh();
    if (fresh !== undefined) return fresh;
    this.reading ??= this.read().finally(() => (this.reading = undefined));
    return this.reading;
  }

  /**
   * Marks a unit of work as a change of access: every process drops its cache, this one at once. The counter is
   * incremented first. Its row lock serializes such units across processes, so each guard sees the outcome of the
   * others: two owners cannot both leave a team.
   */
  change(unit: UnitOfWork): UnitOfWork {
    return {
      ...unit,
      writes: [this.repository.increment(), ...unit.writes],
      afterCommit: ([, ...generated]) => {
        this.localChanges += 1;
        this.readAt = Number.NEGATIVE_INFINITY;
        unit.afterCommit?.(generated);
      },
    };
  }

  private async read(): Promise<number> {
    for (;;) {
      const { localChanges } = this;
      const askedAt = this.clock.now();
      const epoch = await this.repository.read();
      if (localChanges !== this.localChanges) continue;
      this.epoch = epoch;
      this.readAt = askedAt;
      return epoch;
    }
  }
}
