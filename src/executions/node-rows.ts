export interface DefinedNode {
  readonly id: string;
  readonly type: string;
  readonly name?: string;
}

/** A node at the top level of a workflow. `body` contains the nodes inside a loop, and is empty for other nodes. */
export interface DefinedOuterNode extends DefinedNode {
  readonly body: readonly DefinedNode[];
}

export interface NodePlace {
  readonly node: DefinedNode;
  readonly iteration: { readonly of: string; readonly index: number } | null;
}

/** Consecutive rows of the node list: either one top-level node, or the nodes inside a loop repeated for each item. */
interface Stretch {
  readonly outer: DefinedOuterNode;
  readonly nodes: readonly DefinedNode[];
  readonly isBody: boolean;
  readonly length: number;
}

/**
 * Computes the rows of one page of the node list without creating the rows before that page. Skipping rows takes the
 * same time for any number of loop items.
 */
export class NodeRows {
  readonly total: number;
  private readonly stretches: readonly Stretch[];

  /**
   * @param items number of items by id of the loop; loops that have not started are absent
   * @param nodeId limits the rows to one node
   */
  constructor(nodes: readonly DefinedOuterNode[], items: ReadonlyMap<string, number>, nodeId?: string) {
    const isAsked = ({ id }: DefinedNode): boolean => nodeId === undefined || id === nodeId;
    this.stretches = nodes.flatMap((outer) => {
      const own = [outer].filter(isAsked);
      const inside = outer.body.filter(isAsked);
      return [
        { outer, nodes: own, isBody: false, length: own.length },
        { outer, nodes: inside, isBody: true, length: inside.length * (items.get(outer.id) ?? 0) },
      ];
    });
    this.total = this.stretches.reduce((sum, { length }) => sum + length, 0);
  }

  part(start: number, limit: number): readonly NodePlace[] {
    const places: NodePlace[] = [];
    let first = 0;
    for (const { outer, nodes, isBody, length } of this.stretches) {
      const end = Math.min(first + length, start + limit);
      for (let row = Math.max(first, start); row < end; row += 1) {
        const node = nodes[(row - first) % nodes.length] as DefinedNode;
        const index = Math.floor((row - first) / nodes.length);
        places.push({ node, iteration: isBody ? { of: outer.id, index } : null });
      }
      first += length;
    }
    return places;
  }
}
