import { stateKey } from '../execution-events/index.js';
import type { Json } from '../expressions/index.js';

/** One run of a loop's body: what stands inside is told apart by it. */
export interface Iteration {
  /** The loop: the node whose type iterates. */
  readonly of: { readonly id: string; readonly needs: readonly string[] };
  /** Place of its item in the list, from 0. */
  readonly index: number;
  readonly item: Json;
}

/** The key of a node's state where it stands. */
export function keyAt(nodeId: string, iteration: Iteration | null): string {
  return iteration === null ? nodeId : stateKey(nodeId, iteration.of.id, iteration.index);
}

/** Ids of nodes in keys of states, each once. */
export function nodeIdsOf(keys: readonly string[]): readonly string[] {
  return [...new Set(keys.map((key) => key.slice(key.lastIndexOf('.') + 1)))];
}

/** Whether the key of a state is that of a node inside a loop. */
export function isInside(key: string, loopId: string): boolean {
  return key.startsWith(`${loopId}[`);
}
