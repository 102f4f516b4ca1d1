import { Logger } from '@nestjs/common';
import { requestLimit, StatementTimeoutError } from '../../database/index.js';
import type { UnitOfWork } from './unit-of-work.js';

/** A unit that waits for its commit. */
export interface PendingUnit {
  readonly unit: UnitOfWork;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
  /** Time limit of the request that commits the unit; null outside requests. `at` is on the monotonic clock. */
  readonly limit: { readonly at: number; readonly ms: number } | null;
}

const logger = new Logger('Writer');

/** Resolves a committed unit. An error in its callback does not reject it: the unit must not be written again. */
export function committed({ unit, resolve }: PendingUnit, generated: readonly (number | null)[]): void {
  try {
    unit.afterCommit?.(generated);
  } catch (error) {
    logger.error({ err: error, msg: 'What was to follow a commit failed.' });
  }
  resolve();
}

/**
 * Maximum number of units per commit. Large enough to share the disk flush, small enough not to block the event loop.
 */
const MAX_UNITS = 512;

/** Units waiting for the next commit, in arrival order. */
export class CommitQueue {
  private pending: PendingUnit[] = [];
  /** Batches being committed. */
  private readonly taken: (readonly PendingUnit[])[] = [];
  /** One timer for all units: a timer per unit would cost a start two percent of its time. */
  private timer: NodeJS.Timeout | undefined;

  get isEmpty(): boolean {
    return this.pending.length === 0;
  }

  /**
   * Queues a unit. Within a request it rejects after the request's limit. If its commit has not begun by then, the unit
   * is not written.
   */
  add(unit: UnitOfWork): Promise<void> {
    const limitMs = requestLimit();
    return new Promise((resolve, reject) => {
      const limit = limitMs === undefined ? null : { at: performance.now() + limitMs, ms: limitMs };
      this.pending.push({ unit, resolve, reject, limit });
      if (limit !== null) this.timer ??= this.timerFor(limit.ms);
    });
  }

  /** Takes the units of the next commit, at most one per key. The rest keep their order. */
  take(): readonly PendingUnit[] {
    const keys = new Set<string>();
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
    this.taken.push(batch);
    return batch;
  }

  /** Called when every unit of a batch is settled. */
  settled(batch: readonly PendingUnit[]): void {
    this.taken.splice(this.taken.indexOf(batch), 1);
  }

  private timerFor(delayMs: number): NodeJS.Timeout {
    return setTimeout(() => this.giveUpLate(), delayMs).unref();
  }

  /** All requests have the same limit, so the timer of the oldest unit always fires first. */
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
