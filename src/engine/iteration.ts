import { stateKey } from '../execution-events/index.js';
import type { Json } from '../expressions/index.js';

/** One iteration of a loop. Each iteration has its own states of the nodes in the loop's body. */
export interface Iteration {
  /** The loop: its id, and the ids of the nodes that the loop needs. */
  readonly of: { readonly id: string; readonly needs: readonly string[] };
  /** Index of the item in the list, from 0. */
  readonly index: number;
  readonly item: Json;
}

/** Returns the key under which the state stores a node. A node inside a loop has one key for each iteration. */
export function keyAt(nodeId: string, iteration: Iteration | null): string {
  return iteration === null ? nodeId : stateKey(nodeId, iteration.of.id, iteration.index);
}

/**
 * Converts state keys to node ids, without duplicates. The state key of a node inside a loop also names the loop and
 * the item.
 */
export function nodeIdsOf(keys: readonly string[]): readonly string[] {
  return [...new Set(keys.map((key) => key.slice(key.lastIndexOf('.') + 1)))];
}

/** Whether a state key belongs to a node in the body of the loop. */
export function isInside(key: string, loopId: string): boolean {
  return key.startsWith(`${loopId}[`);
}
