import { isSettled } from '../../execution-events/index.js';
import { type ExecutionState, keyAt, type RunOrder } from '../../engine/index.js';

/**
 * Tracks the child executions that nodes inside loops have started. A loop or an item may end before its children,
 * which must then be cancelled.
 */
export class LoopChildren {
  /** Ids of child executions, by the state key of the node that waits for the child. */
  private readonly ids = new Map<string, string>();

  /** @param state current state of the execution */
  constructor(state: ExecutionState) {
    for (const [key, { awaits }] of state.nodes) if (awaits?.kind === 'child') this.ids.set(key, awaits.id);
  }

  add({ node, iteration }: RunOrder, childId: string): void {
    if (iteration !== null) this.ids.set(keyAt(node.id, iteration), childId);
  }

  /** Returns the ids of child executions for which no node waits anymore. Each id is returned only once. */
  abandoned(state: ExecutionState): readonly string[] {
    const abandoned: string[] = [];
    for (const [key, id] of this.ids) {
      const node = state.nodes.get(key);
      if (node?.awaits?.kind === 'child' && node.awaits.id === id) continue;
      this.ids.delete(key);
      if (node === undefined || isSettled(node.status)) abandoned.push(id);
    }
    return abandoned;
  }
}
