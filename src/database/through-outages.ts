import { setTimeout as pause } from 'node:timers/promises';
import { databaseIsAway } from './database-away.js';

/** Milliseconds between two attempts while the database is unavailable. */
const PAUSE_MS = 250;

/**
 * Repeats work while the database is unavailable, so that nodes survive a restart of the database.
 * @param work must be idempotent, because a call that failed may nevertheless have succeeded
 * @throws errors of the work while the database is available; the reason of the signal when it
 * aborts
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
