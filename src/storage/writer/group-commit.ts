import { Logger } from '@nestjs/common';
import { requestLimit, StatementTimeoutError } from '../../database/index.js';
import type { UnitOfWork } from './unit-of-work.js';

export interface PendingUnit {
  readonly unit: UnitOfWork;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
  /**
   * Time limit of the request that submitted the unit. Null for a unit outside of requests. `at` is on the monotonic
   * clock.
   */
  readonly limit: { readonly at: number; readonly ms: number } | null;
}

const logger = new Logger('Writer');

/**
 * Resolves the promise of a committed unit. An error in the unit's `afterCommit` is only logged, because the unit is
 * already written.
 */
export function committed(
  { unit, resolve }: PendingUnit,
  generated: readonly (number | null)[],
  previous: number | null = null,
): void {
  try {
    unit.afterCommit?.(generated, previous);
  } catch (error) {
    logger.error({ err: error, msg: 'A callback after a commit failed.' });
  }
  resolve();
}

/**
 * Maximum number of units per commit. Many units should share a disk flush, but a larger commit would block the event
 * loop.
 */
const MAX_UNITS = 512;

/** Queue of the units of work that wait for the next commit, in arrival order. */
export class CommitQueue {
  private pending: PendingUnit[] = [];
  private readonly taken: (readonly PendingUnit[])[] = [];
  /**
   * Timer for the time limits of all units. A timer per unit would make the start of an execution two percent slower.
   */
  private timer: NodeJS.Timeout | undefined;

  get isEmpty(): boolean {
    return this.pending.length === 0;
  }

  /**
   * Adds a unit of work to the queue. Inside a request, the promise rejects when the request's time limit expires. If
   * the commit of the unit has not begun by then, the unit is never written.
   */
  add(unit: UnitOfWork): Promise<void> {
    const limitMs = requestLimit();
    return new Promise((resolve, reject) => {
      const limit = limitMs === undefined ? null : { at: performance.now() + limitMs, ms: limitMs };
      this.pending.push({ unit, resolve, reject, limit });
      if (limit !== null) this.timer ??= this.timerFor(limit.ms);
    });
  }

  /**
   * Removes the units of the next commit from the queue, at most one unit per key.
   *
   * @param inProgress keys of units in commits that have not ended; units with these keys stay in the queue
   */
  take(inProgress: Iterable<string> = []): readonly PendingUnit[] {
    const keys = new Set(inProgress);
    const batch: PendingUnit[] = [];
    const rest: PendingUnit[] = [];
    for (const pending of this.pending) {
      const { key } = pending.unit;
      if (batch.length >= MAX_UNITS || (key !== undefined && keys.has(key))) {
        rest.push(pending);
        continue;
      }
      if (key !== undefined) keys.add(key);
      batch.push(pending);
    }
    this.pending = rest;
    if (batch.length > 0) this.taken.push(batch);
    return batch;
  }

  settled(batch: readonly PendingUnit[]): void {
    const index = this.taken.indexOf(batch);
    if (index >= 0) this.taken.splice(index, 1);
  }

  private timerFor(delayMs: number): NodeJS.Timeout {
    return setTimeout(() => this.giveUpLate(), delayMs).unref();
  }

  /** Rejects the units whose time limit has expired, and restarts the timer for the next time limit. */
  private giveUpLate(): void {
    const now = performance.now();
    let next = Infinity;
    for (const { limit, reject } of [...this.taken.flat(), ...this.pending]) {
      if (limit === null) continue;
      if (limit.at <= now) reject(new StatementTimeoutError(limit.ms));
      else next = Math.min(next, limit.at);
    }
    this.pending = this.pending.filter(({ limit }) => limit === null || limit.at > now);
    this.timer = next === Infinity ? undefined : this.timerFor(next - now);
  }
}
