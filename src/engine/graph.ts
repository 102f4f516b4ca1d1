import { at, type Fault } from './fault.js';

/** A node as the graph sees it. */
export interface GraphNode {
  readonly id: string;
  readonly needs: readonly string[];
  /** Where the node stands in its document, for example `nodes[2]`. */
  readonly path: string;
}

export interface Graph {
  /** Every id, each after all that it needs; ties in the order of the document. */
  readonly order: readonly string[];
  /** Ids that no other node needs, in the order of the document. */
  readonly last: readonly string[];
}

/** Orders a graph, or says everything that is wrong with it: double ids, unknown and own references, cycles. */
export function buildGraph(nodes: readonly GraphNode[]): { readonly graph: Graph; readonly faults: readonly Fault[] } {
  const faults: Fault[] = [];
  const byId = new Map<string, GraphNode>();
  for (const node of nodes) {
    const first = byId.get(node.id);
    if (first === undefined) byId.set(node.id, node);
    else
      faults.push({
        path: at(node.path, 'id'),
        code: 'duplicate_node_id',
        message: `The id "${node.id}" is already that of ${first.path}.`,
      });
  }
  for (const node of byId.values()) faults.push(...referenceFaults(node, byId));
  const known = new Map([...byId].map(([id, node]) => [id, node.needs.filter((need) => need !== id && byId.has(need))]));
  const order = topologicalOrder(known);
  const stuck = [...byId.keys()].filter((id) => !order.includes(id));
  if (stuck.length > 0) {
    const cycle = findCycle(known, stuck);
    faults.push({
      path: at(byId.get(cycle[0] ?? '')?.path ?? 'nodes', 'needs'),
      code: 'cycle',
      message: `The nodes wait for each other: ${[...cycle, cycle[0]].join(' -> ')}.`,
    });
  }
  const needed = new Set([...known.values()].flat());
  return { graph: { order, last: [...byId.keys()].filter((id) => !needed.has(id)) }, faults };
}

function referenceFaults(node: GraphNode, byId: ReadonlyMap<string, GraphNode>): readonly Fault[] {
  return node.needs.flatMap((need) => {
    if (need === node.id)
      return [{ path: at(node.path, 'needs'), code: 'self_reference', message: `The node "${node.id}" refers to itself.` }];
    if (byId.has(need)) return [];
    return [
      {
        path: at(node.path, 'needs'),
        code: 'unknown_node',
        message: `The node "${node.id}" refers to "${need}", and there is no node of that id.`,
      },
    ];
  });
}

function topologicalOrder(needs: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const open = new Map([...needs].map(([id, list]) => [id, new Set(list).size]));
  const dependents = new Map<string, string[]>([...needs.keys()].map((id) => [id, []]));
  for (const [id, list] of needs) for (const need of new Set(list)) dependents.get(need)?.push(id);
  const order = [...needs.keys()].filter((id) => open.get(id) === 0);
  for (const id of order) {
    for (const dependent of dependents.get(id) ?? []) {
      const left = (open.get(dependent) ?? 0) - 1;
      open.set(dependent, left);
      if (left === 0) order.push(dependent);
    }
  }
  return order;
}

/** Walks needs among nodes that cannot be ordered: each of them needs another of them, so a node comes twice. */
function findCycle(needs: ReadonlyMap<string, readonly string[]>, stuck: readonly string[]): readonly string[] {
  const among = new Set(stuck);
  const walk: string[] = [];
  let id = stuck[0];
  while (id !== undefined && !walk.includes(id)) {
    walk.push(id);
    id = needs.get(id)?.find((need) => among.has(need));
  }
  return walk.slice(walk.indexOf(id ?? '')).reverse();
}
