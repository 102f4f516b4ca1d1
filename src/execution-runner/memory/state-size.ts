import type { ExecutionState } from '../../engine/index.js';
import { LongValue } from '../../long-values/index.js';

/** Growth up to which a state is not measured again: small executions are never walked through. */
const UNMEASURED = 64 * 1024;

/** About the bytes of JSON in a state; long values that are stored elsewhere count nothing. */
export function stateSize({ input, output, metadata, nodes }: ExecutionState): number {
  let size = jsonSize(input) + jsonSize(output) + jsonSize(metadata);
  for (const [, node] of nodes) {
    size += jsonSize(node.output) + jsonSize(node.error) + jsonSize(node.resumption);
    if (node.loop !== null) size += jsonSize(node.loop.items) + node.loop.results.length;
  }
  return size;
}

/**
 * About the bytes of a state while it grows: what was measured last, and what events added since. It is measured again
 * once it may have doubled, so that a run spends little time on it.
 */
export class StateBytes {
  private measured = 0;
  private added = 0;

  /** Measures it as it is. */
  of(state: ExecutionState): number {
    this.measured = stateSize(state);
    this.added = 0;
    return this.measured;
  }

  /** @param bytes of events that were folded in since the last call, with long values: those of loops stay */
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
