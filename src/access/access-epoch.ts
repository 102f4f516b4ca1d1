import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, type Clock } from '../platform/index.js';
import type { UnitOfWork } from '../storage/index.js';
import { AccessEpochRepository } from './access-epoch.repository.js';

/** How long an answer of the database counts. Half of what a revocation may take to reach every process. */
const FRESH_MS = 500;

/**
 * Tells every process of the service when anything changed that decides who may do what: keys, people, roles,
 * address lists. Such a change moves a counter in the same commit; whoever keeps verified keys asks for the
 * counter and, where it moved, looks again. So a revocation reaches every process, whatever else is down, at
 * the price of one read of one row per half a second of traffic.
 */
@Injectable()
export class AccessEpoch {
  private epoch = -1;
  private readAt = Number.NEGATIVE_INFINITY;
  private reading: Promise<number> | undefined;
  /** Moves with every change made here, so that a reading begun before it is not believed. */
  private localChanges = 0;

  constructor(
    private readonly repository: AccessEpochRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** The epoch, where it was asked for so recently that no question is needed. */
  fresh(): number | undefined {
    const age = this.clock.now() - this.readAt;
    return age >= 0 && age < FRESH_MS ? this.epoch : undefined;
  }

  /** Has the next question asked of the database, however fresh the last answer is. */
  doubt(): void {
    this.readAt = Number.NEGATIVE_INFINITY;
  }

  /** The epoch, at most half a second old. Callers at the same time share one question. */
  async current(): Promise<number> {
    const fresh = this.fresh();
    if (fresh !== undefined) return fresh;
    this.reading ??= this.read().finally(() => (this.reading = undefined));
    return this.reading;
  }

  /**
   * Makes a unit of work a change of access: every process looks again, this one at once. The counter is moved
   * first, which holds back every other such unit, of other processes too, until this one is committed: guards
   * of these units see each other's outcome (two owners cannot both leave).
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
