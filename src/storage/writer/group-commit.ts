import { Logger } from '@nestjs/common';
import { requestLimit, StatementTimeoutError } from '../statement-limits.js';
import type { UnitOfWork } from './unit-of-work.js';

/** A unit on its way to the database. */
export interface PendingUnit {
  readonly unit: UnitOfWork;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
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

  get isEmpty(): boolean {
    return this.pending.length === 0;
  }

  /** For a request it rejects after the request's limit: what is not under way by then is not written. */
  add(unit: UnitOfWork): Promise<void> {
    const limitMs = requestLimit();
    return new Promise((resolve, reject) => {
      const pending: PendingUnit = { unit, resolve, reject };
      if (limitMs === undefined) return void this.pending.push(pending);
      const timer = setTimeout(() => {
        this.pending = this.pending.filter((other) => other !== limited);
        reject(new StatementTimeoutError(limitMs));
      }, limitMs);
      const limited: PendingUnit = {
        unit,
        resolve: () => {
          clearTimeout(timer);
          resolve();
        },
        reject: (error) => {
          clearTimeout(timer);
          reject(error);
        },
      };
      this.pending.push(limited);
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
    return batch;
  }
}
