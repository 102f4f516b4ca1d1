import { randomFillSync } from 'node:crypto';
import { v7, validate } from 'uuid';
import { systemClock } from '../clock/system-clock.js';

/**
 * Number of random bytes per id. One call generates the bytes for 256 ids, because one call for each id would
 * take longer than all other steps.
 */
const ID_BYTES = 16;
const pool = new Uint8Array(256 * ID_BYTES);
let used = pool.length;

/**
 * Epoch milliseconds of the last id, and a counter of the ids within that millisecond. The counter makes ids sort in
 * the order of their creation.
 */
let lastMs = 0;
let sequence = 0;

/** Returns a new UUID v7. UUIDs of this version sort by creation time. */
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
    // The counter starts at a random number in the lower half of its range. The upper half remains for counting.
    sequence =
      ((random[6] ?? 0) << 23) | ((random[7] ?? 0) << 16) | ((random[8] ?? 0) << 8) | (random[9] ?? 0);
  } else sequence += 1;
  return v7({ random, msecs: lastMs, seq: sequence });
}

/** Whether a string is a UUID of any version. Ids in requests must be checked before a query uses them. */
export function isId(text: string): boolean {
  return validate(text);
}

/**
 * Returns the lowest id of a point in time. Ids that were created earlier sort before the result, and all later ids
 * sort after it.
 *
 * @param epochMs the point in time, in epoch milliseconds
 */
export function firstIdAt(epochMs: number): string {
  const hex = Math.max(0, Math.floor(epochMs)).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

/** Returns the epoch milliseconds at which `newId` created an id. */
export function timeOfId(id: string): number {
  return parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}
