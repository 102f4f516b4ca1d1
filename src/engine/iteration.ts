import { stateKey } from '../execution-events/index.js';
import type { Json } from '../expressions/index.js';

/** One iteration of a loop, which distinguishes the states of the same body node in different iterations. */
export interface Iteration {
  /** Id and needs of the loop. */
  readonly of: { readonly id: string; readonly needs: readonly string[] };
  /** Index of the item in the list, from 0. */
  readonly index: number;
  readonly item: Json;
}

/** The state key of a node, inside or outside a loop. */
export function keyAt(nodeId: string, iteration: Iteration | null): string {
  return iteration === null ? nodeId : stateKey(nodeId, iteration.of.id, iteration.index);
}

/** The ids of nodes that occur in state keys, without duplicates. */
export function nodeIdsOf(keys: readonly string[]): readonly string[] {
  return [...new Set(keys.map((key) => key.slice(key.lastIndexOf('.') + 1)))];
}

/** Whether a state key belongs to a node in the body of the loop. */
export function isInside(key: string, loopId: string): boolean {
  return key.startsWith(`${loopId}[`);
}
