import { Logger } from '@nestjs/common';
import { requestLimit, StatementTimeoutError } from '../../database/index.js';
import type { UnitOfWork } from './unit-of-work.js';

/** A unit on its way to the database. */
export interface PendingUnit {
  readonly unit: UnitOfWork;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
  /** How long the request waits that commits it; `at` is on the monotonic clock. */
  readonly limit: { readonly at: number; readonly ms: number } | null;
}

const logger = new Logger('Writer');

/** Tells a unit that it is durable. That stays so whatever its callback throws: it is not to be written again. */
export function committed({ unit, resolve }: PendingUnit, generated: readonly (number | null)[]): void {
  try {
    unit.afterCommit?.(generated);
  } catch (error) {
    logger.error({ err: error, msg: 'What was to follow a commit failed.' });
  }
  resolve();
}

/** Units in one commit: enough to make the disk's wait cheap, few enough to keep the loop turning. */
const MAX_UNITS = 512;

/** What waits for the next commit, in the order of arrival. */
export class CommitQueue {
  private pending: PendingUnit[] = [];
  /** Batches under way. */
  private readonly taken: (readonly PendingUnit[])[] = [];
  /** One for all units: a timer for each costs a start two percent of its time. */
  private timer: NodeJS.Timeout | undefined;

  get isEmpty(): boolean {
    return this.pending.length === 0;
  }

  /** For a request it rejects after the request's limit: what is not under way by then is not written. */
  add(unit: UnitOfWork): Promise<void> {
    const limitMs = requestLimit();
    return new Promise((resolve, reject) => {
      const limit = limitMs === undefined ? null : { at: performance.now() + limitMs, ms: limitMs };
      this.pending.push({ unit, resolve, reject, limit });
      if (limit !== null) this.timer ??= this.timerFor(limit.ms);
    });
  }

  /** Takes the next commit's units: at most one of a key, the rest stays in order. */
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

  /** Every unit of a batch is settled. */
  settled(batch: readonly PendingUnit[]): void {
    this.taken.splice(this.taken.indexOf(batch), 1);
  }

  private timerFor(delayMs: number): NodeJS.Timeout {
    return setTimeout(() => this.giveUpLate(), delayMs).unref();
  }

  /** All requests have the same limit, so no unit is late before the timer of an older one. */
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
