import { at, type Fault } from '../expressions/index.js';

export interface GraphNode {
  readonly id: string;
  /**
   * Ids of the nodes on which this node depends. Each id has the path in the document that states the
   * dependency, for example `nodes[2].needs[0]`.
   */
  readonly needs: ReadonlyMap<string, string>;
  /** Path of the node in its document, for example `nodes[2]`. */
  readonly path: string;
}

export interface Graph<Node extends GraphNode> {
  /**
   * Nodes in topological order: each node comes after the nodes that it needs. Independent nodes keep their document
   * order.
   */
  readonly order: readonly Node[];
  /** Nodes that no other node needs, in the order of the document. */
  readonly last: readonly Node[];
}

/**
 * The nodes of the workflow that are not in the graph being built: nodes outside the current loop, or inside other
 * loops.
 */
export interface OtherNodes {
  /** Path of each node in the document, by node id. */
  readonly paths: ReadonlyMap<string, string>;
  /** Id of the loop that contains the node, by node id. */
  readonly loops: ReadonlyMap<string, string>;
}

const NO_OTHER_NODES: OtherNodes = { paths: new Map(), loops: new Map() };

/**
 * Sorts a graph topologically and reports its errors: duplicate ids, unknown references, self-references and the first
 * cycle. Callers must not use a graph with errors.
 */
export function buildGraph<Node extends GraphNode>(
  nodes: readonly Node[],
  otherNodes: OtherNodes = NO_OTHER_NODES,
): { readonly graph: Graph<Node>; readonly faults: readonly Fault[] } {
  const byId = new Map<string, Node>();
  const faults: Fault[] = [];
  for (const node of nodes) {
    const first = byId.get(node.id)?.path ?? otherNodes.paths.get(node.id);
    if (!byId.has(node.id)) byId.set(node.id, node);
    if (first !== undefined)
      faults.push({
        path: at(node.path, 'id'),
        code: 'duplicate_node_id',
        message: `The node id "${node.id}" is already used by ${first}.`,
      });
  }
  for (const node of nodes) faults.push(...referenceFaults(node, byId, otherNodes));
  const { order, cycle } = sorted(byId);
  if (cycle !== null) faults.push(cycle);
  const needed = new Set(order.flatMap(({ needs }) => [...needs.keys()]));
  return { graph: { order, last: [...byId.values()].filter(({ id }) => !needed.has(id)) }, faults };
}

function referenceFaults(
  node: GraphNode,
  byId: ReadonlyMap<string, GraphNode>,
  otherNodes: OtherNodes,
): readonly Fault[] {
  const faults: Fault[] = [];
  for (const [need, path] of node.needs) {
    if (need === node.id)
      faults.push({ path, code: 'self_reference', message: `The node "${node.id}" refers to itself.` });
    else if (!byId.has(need)) faults.push(unknownNode(path, `The node "${node.id}"`, need, otherNodes));
  }
  return faults;
}

/**
 * Returns the error for a reference to an unknown node.
 * @param subject subject of the error message, for example `The node "a"`
 */
export function unknownNode(path: string, subject: string, id: string, { loops }: OtherNodes): Fault {
  const loop = loops.get(id);
  if (loop === undefined) {
    const message = `${subject} refers to "${id}", but no node has this id.`;
    return { path, code: 'unknown_node', message };
  }
  const message = `${subject} refers to "${id}", which exists only inside "${loop}". Use \`nodes.${loop}.output\`, the list of the outputs of all items.`;
  return { path, code: 'node_inside_loop', message };
}

/**
 * Sorts by depth-first search. The graph has a cycle if the search reaches a node whose own dependencies are
 * still being visited.
 */
function sorted<Node extends GraphNode>(
  byId: ReadonlyMap<string, Node>,
): { readonly order: readonly Node[]; readonly cycle: Fault | null } {
  const order = new Set<Node>();
  const walk: Node[] = [];
  let cycle: Fault | null = null;
  const visit = (node: Node): void => {
    walk.push(node);
    for (const [id, path] of node.needs) {
      const need = byId.get(id);
      if (need === undefined || need === node || order.has(need)) continue;
      const start = walk.indexOf(need);
      if (start < 0) visit(need);
      else cycle ??= cycleFault(path, [...walk.slice(start), need]);
    }
    walk.pop();
    order.add(node);
  };
  for (const node of byId.values()) if (!order.has(node)) visit(node);
  return { order: [...order], cycle };
}

function cycleFault(path: string, cycle: readonly GraphNode[]): Fault {
  const ids = cycle.map(({ id }) => id).join(' -> ');
  return { path, code: 'cycle', message: `These nodes depend on each other: ${ids}.` };
}
