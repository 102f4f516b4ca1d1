import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, type Clock } from '../platform/index.js';
import type { UnitOfWork } from '../storage/index.js';
import { AccessEpochRepository } from './access-epoch.repository.js';

/**
 * Maximum age of a cached epoch, because a revocation must reach every process within twice this
 * time.
 */
const FRESH_MS = 500;

/**
 * Counts changes to keys, people, roles and address lists, so that every process clears its cache
 * after a change. A busy process reads the counter twice a second, so revocations need no Redis.
 */
@Injectable()
export class AccessEpoch {
  private epoch = -1;
  private readAt = Number.NEGATIVE_INFINITY;
  private reading: Promise<number> | undefined;
  /**
   * Number of changes made by this process. A database read discards its result if this number grew
   * meanwhile.
   */
  private localChanges = 0;

  constructor(
    private readonly repository: AccessEpochRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Undefined if the cached epoch is older than half a second. */
  fresh(): number | undefined {
    const age = this.clock.now() - this.readAt;
    return age >= 0 && age < FRESH_MS ? this.epoch : undefined;
  }

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
   * Marks a unit of work as a change of access: every process clears its cache after the commit.
   * The unit locks the counter's row first, so that the last two owners of a team cannot both
   * leave.
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
