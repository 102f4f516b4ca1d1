/** A node of the definition. */
export interface DefinedNode {
  readonly id: string;
  readonly type: string;
  readonly name?: string;
}

/** A node of the definition, and where it iterates what is inside. */
export interface DefinedOuterNode extends DefinedNode {
  readonly body: readonly DefinedNode[];
}

/** Where a row of an execution's nodes stands. */
export interface NodePlace {
  readonly node: DefinedNode;
  readonly iteration: { readonly of: string; readonly index: number } | null;
}

/** Nodes in a row: the one outside, or one inside a loop for each of its items. */
interface Stretch {
  readonly outer: DefinedOuterNode;
  readonly nodes: readonly DefinedNode[];
  readonly isBody: boolean;
  readonly length: number;
}

/**
 * The rows of an execution's nodes without the rows: each node, and behind one that iterates a row for each
 * item and node inside. Any part of ten thousand items is found without making the others.
 */
export class NodeRows {
  readonly total: number;
  private readonly stretches: readonly Stretch[];

  /**
   * @param items how many items loops have, by their ids; none where one has not begun
   * @param nodeId narrows the rows to those of one node
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
