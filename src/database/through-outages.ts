import { setTimeout as pause } from 'node:timers/promises';
import { isDatabaseUnavailable } from './database-unavailable.js';

/** Milliseconds between two attempts while the database is unavailable. */
const PAUSE_MS = 250;

/**
 * Repeats `work` while the database is unavailable, so that running nodes survive a restart of the database.
 * @param work must be idempotent, because the database may have executed a call that failed
 * @throws any error of `work` that does not mean that the database is unavailable
 * @throws the abort reason of `signal`, if the signal aborts
 */
export async function throughOutages<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
    }
    await pause(PAUSE_MS, undefined, { signal }).catch(() => undefined);
    signal.throwIfAborted();
  }
}
