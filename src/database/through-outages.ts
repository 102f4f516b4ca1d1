import { setTimeout as pause } from 'node:timers/promises';
import { databaseIsAway } from './database-away.js';

/** Between two tries. */
const PAUSE_MS = 250;

/**
 * Does something again until the database is there for it. What a node asks of the service itself must not fail the
 * node because the database restarts.
 * @param work may have been done although it failed, so doing it again must come to the same
 * @throws what the work fails with while the database is there; the reason of the signal, where it aborts
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
