import type { ExecutionState } from '../engine/index.js';
import { LongValue } from '../long-values/index.js';

/**
 * Number of bytes by which a state must grow before its size is measured. A state that stays smaller is never measured.
 */
const UNMEASURED = 64 * 1024;

/** Returns the approximate size of a state as JSON, in bytes. Long values do not count. */
export function stateSize({ input, output, metadata, nodes }: ExecutionState): number {
  let size = jsonSize(input) + jsonSize(output) + jsonSize(metadata);
  for (const [, node] of nodes) {
    size += jsonSize(node.output) + jsonSize(node.error) + jsonSize(node.resumption);
    if (node.loop !== null) size += jsonSize(node.loop.items) + node.loop.results.length;
  }
  return size;
}

/**
 * Tracks the approximate size of a growing state, in bytes. The size is the last measured size plus the size of later
 * events. Measuring again is necessary only when the size may have doubled.
 */
export class StateBytes {
  private measured = 0;
  private added = 0;

  /** Measures a state and returns its size in bytes. */
  of(state: ExecutionState): number {
    this.measured = stateSize(state);
    this.added = 0;
    return this.measured;
  }

  /**
   * Returns the size of the state after further events, in bytes.
   *
   * @param bytes size of the events since the last call; long values count, because loops keep long values in memory
   */
  after(bytes: number, state: ExecutionState): number {
    this.added += bytes;
    if (this.added > Math.max(UNMEASURED, this.measured)) return this.of(state);
    return this.measured + this.added;
  }
}

function jsonSize(value: unknown): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return 4;
  if (value instanceof LongValue) return 0;
  if (Array.isArray(value)) return value.reduce<number>((sum, element) => sum + jsonSize(element) + 1, 2);
  return Object.entries(value).reduce((sum, [name, field]) => sum + name.length + 4 + jsonSize(field), 2);
}
