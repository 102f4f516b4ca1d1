import { randomFillSync } from 'node:crypto';
import { v7, validate } from 'uuid';
import { systemClock } from '../clock/system-clock.js';

/** Random bytes per id. 256 ids share one call, which would otherwise take most of the time. */
const ID_BYTES = 16;
const pool = new Uint8Array(256 * ID_BYTES);
let used = pool.length;

/** Time of the last id, and a counter within that millisecond, by which ids sort in the order of creation. */
let lastMs = 0;
let sequence = 0;

/** A new UUID v7, which sorts by creation time. */
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
    // The random start leaves half of the range for counting.
    sequence =
      ((random[6] ?? 0) << 23) | ((random[7] ?? 0) << 16) | ((random[8] ?? 0) << 8) | (random[9] ?? 0);
  } else sequence += 1;
  return v7({ random, msecs: lastMs, seq: sequence });
}

/** Whether a string is a UUID of any version. Ids from outside must be checked before a query. */
export function isId(text: string): boolean {
  return validate(text);
}

/**
 * The boundary between ids that were created before a time and later ids.
 *
 * @param epochMs ids from this time on sort after the result
 */
export function firstIdAt(epochMs: number): string {
  const hex = Math.max(0, Math.floor(epochMs)).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

/** Time at which `newId` created an id, in epoch milliseconds. */
export function timeOfId(id: string): number {
  return parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}
