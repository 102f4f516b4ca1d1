export interface DefinedNode {
  readonly id: string;
  readonly type: string;
  readonly name?: string;
}

/** A node outside of loops. Only a loop has a body. */
export interface DefinedOuterNode extends DefinedNode {
  readonly body: readonly DefinedNode[];
}

export interface NodePlace {
  readonly node: DefinedNode;
  readonly iteration: { readonly of: string; readonly index: number } | null;
}

/** Consecutive rows: one node outside of loops, or a loop body repeated for each item. */
interface Stretch {
  readonly outer: DefinedOuterNode;
  readonly nodes: readonly DefinedNode[];
  readonly isBody: boolean;
  readonly length: number;
}

/** Finds the rows of a page without creating all rows. The time does not depend on the number of items. */
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
