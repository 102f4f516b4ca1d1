import { setTimeout as pause } from 'node:timers/promises';
import { databaseIsAway } from './database-away.js';

/** Interval between attempts. */
const PAUSE_MS = 250;

/**
 * Repeats work until the database is available. A node's request to the service itself must not fail because the
 * database restarts.
 * @param work may have succeeded although it failed, so it must be idempotent
 * @throws errors of the work while the database is available; the signal's reason when it aborts
 */
export async function throughOutages<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!databaseIsAway(error)) throw error;
    }
    await pause(PAUSE_MS, undefined, { signal }).catch(() => undefined);
    signal.throwIfAborted();
  }
}
