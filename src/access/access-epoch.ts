import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, type Clock } from '../platform/index.js';
import type { UnitOfWork } from '../storage/index.js';
import { AccessEpochRepository } from './access-epoch.repository.js';

/** Maximum age of a cached epoch. A revocation reaches every process within twice this time. */
const FRESH_MS = 500;

/**
 * Notifies every process of changes to access: to keys, people, roles or address lists. The commit of such a change
 * also increments a counter. A process that caches verified keys reads the counter and clears its cache if the counter
 * grew. A revocation therefore reaches every process without Redis. A busy process reads the counter twice a second.
 */
@Injectable()
export class AccessEpoch {
  private epoch = -1;
  private readAt = Number.NEGATIVE_INFINITY;
  private reading: Promise<number> | undefined;
  /**
   * Number of changes that this process made. A database read discards its result if this number grew during the read.
   */
  private localChanges = 0;

  constructor(
    private readonly repository: AccessEpochRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** The cached epoch; undefined if it is older than half a second. */
  fresh(): number | undefined {
    const age = this.clock.now() - this.readAt;
    return age >= 0 && age < FRESH_MS ? this.epoch : undefined;
  }

  /** Discards the cached epoch, so that the next call of `current` reads the database. */
  expire(): void {
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
   * Marks a unit of work as a change of access: after the commit, every process clears its cache. This process does so
   * immediately. The unit increments the counter first and thereby locks the counter's row. Units that change access
   * therefore commit one after another, and each sees the result of the previous unit. For example, the last two owners
   * of a team cannot both leave it.
   */
  change(unit: UnitOfWork): UnitOfWork {
    return {
      ...unit,
      writes: [this.repository.increment(), ...unit.writes],
      afterCommit: ([, ...generated], previous) => {
        this.localChanges += 1;
        this.readAt = Number.NEGATIVE_INFINITY;
        unit.afterCommit?.(generated, previous);
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
