import { isSettled } from '../../execution-events/index.js';
import { type ExecutionState, keyAt, type RunOrder } from '../../engine/index.js';

/**
 * Tracks the children for which nodes inside loops wait. A loop or an item may end while its children are still
 * running.
 */
export class LoopChildren {
  /** Id of the child by the state key of the waiting node. */
  private readonly ids = new Map<string, string>();

  /** @param state current state of the execution */
  constructor(state: ExecutionState) {
    for (const [key, { awaits }] of state.nodes) if (awaits?.kind === 'child') this.ids.set(key, awaits.id);
  }

  add({ node, iteration }: RunOrder, childId: string): void {
    if (iteration !== null) this.ids.set(keyAt(node.id, iteration), childId);
  }

  /** Returns the ids of children for which no node waits any more. Each id is returned only once. */
  left(state: ExecutionState): readonly string[] {
    const left: string[] = [];
    for (const [key, id] of this.ids) {
      const node = state.nodes.get(key);
      if (node?.awaits?.kind === 'child' && node.awaits.id === id) continue;
      this.ids.delete(key);
      if (node === undefined || isSettled(node.status)) left.push(id);
    }
    return left;
  }
}
