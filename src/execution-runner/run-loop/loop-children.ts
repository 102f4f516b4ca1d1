import { isSettled } from '../../execution-events/index.js';
import { type ExecutionState, keyAt, type RunOrder } from '../../engine/index.js';

/** Children that nodes inside of loops wait for: a loop, or an item of it, may come to its end without them. */
export class LoopChildren {
  /** Ids of children by the keys of the nodes that wait for them. */
  private readonly ids = new Map<string, string>();

  /** @param state what an execution that was taken up came to so far */
  constructor(state: ExecutionState) {
    for (const [key, { awaits }] of state.nodes) if (awaits?.kind === 'child') this.ids.set(key, awaits.id);
  }

  add({ node, iteration }: RunOrder, childId: string): void {
    if (iteration !== null) this.ids.set(keyAt(node.id, iteration), childId);
  }

  /** The children that nobody waits for any more; each is told once. */
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
