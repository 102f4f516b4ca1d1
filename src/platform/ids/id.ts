import { randomFillSync } from 'node:crypto';
import { v7, validate } from 'uuid';
import { systemClock } from '../clock/system-clock.js';

/** Random bytes are drawn for many ids at once: a call per id costs more than the id. */
const ID_BYTES = 16;
const pool = new Uint8Array(256 * ID_BYTES);
let used = pool.length;

/** The last instant and the count within it: ids of one process sort in the order of creation. */
let lastMs = 0;
let sequence = 0;

/** A new UUID v7: unique, and sorts by creation time. */
export function newId(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const random = pool.slice(used, used + ID_BYTES);
  used += ID_BYTES;
  const now = systemClock.now();
  if (now > lastMs) {
    lastMs = now;
    // Leaves half of the range for counting.
    sequence =
      ((random[6] ?? 0) << 23) | ((random[7] ?? 0) << 16) | ((random[8] ?? 0) << 8) | (random[9] ?? 0);
  } else sequence += 1;
  return v7({ random, msecs: lastMs, seq: sequence });
}

/** Whether a text is a UUID of any version; external ids are checked before they reach a query. */
export function isId(text: string): boolean {
  return validate(text);
}

/** Sorts before every id that `newId` makes at an instant (epoch milliseconds) or later, and after all others. */
export function firstIdAt(epochMs: number): string {
  const hex = Math.max(0, Math.floor(epochMs)).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}
