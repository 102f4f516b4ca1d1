import { Graph, layout } from '@dagrejs/dagre';
import type { NodeDto } from '../api/index.ts';

export const NODE_WIDTH = 146;
export const NODE_HEIGHT = 48;

export interface PlacedNode {
  readonly node: NodeDto;
  readonly x: number;
  readonly y: number;
}

export interface PlacedGraph {
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly { readonly from: PlacedNode; readonly to: PlacedNode }[];
  readonly width: number;
  readonly height: number;
}

const REFERENCE = /\bnodes\.([a-z][a-z0-9_]*)/g;

/**
 * Returns the ids of the nodes on which a node depends. A dependency is listed in `needs`, or an expression of the node
 * refers to it.
 */
export function needsOf(node: NodeDto, nodes: readonly NodeDto[]): readonly string[] {
  const known = new Set(nodes.map(({ id }) => id));
  const text = JSON.stringify([node.if ?? '', node.with ?? {}]);
  const referred = [...text.matchAll(REFERENCE)].map(([, id = '']) => id);
  return [...new Set([...(node.needs ?? []), ...referred])].filter((id) => known.has(id) && id !== node.id);
}

/** Lays out a workflow graph from left to right, so that each node is to the right of its dependencies. */
export function placedGraph(nodes: readonly NodeDto[]): PlacedGraph {
  const graph = new Graph();
  graph.setGraph({ rankdir: 'LR', nodesep: 16, ranksep: 32 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id } of nodes) graph.setNode(id, { width: NODE_WIDTH, height: NODE_HEIGHT });
  for (const node of nodes) for (const need of needsOf(node, nodes)) graph.setEdge(need, node.id);
  layout(graph);
  const placed = new Map(
    nodes.map((node) => {
      const { x, y } = graph.node(node.id) as { readonly x: number; readonly y: number };
      return [node.id, { node, x: x - NODE_WIDTH / 2, y: y - NODE_HEIGHT / 2 }];
    }),
  );
  const edges = nodes.flatMap((node) =>
    needsOf(node, nodes).flatMap((need) => {
      const from = placed.get(need);
      const to = placed.get(node.id);
      return from === undefined || to === undefined ? [] : [{ from, to }];
    }),
  );
  const all = [...placed.values()];
  return {
    nodes: all,
    edges,
    width: Math.max(0, ...all.map(({ x }) => x + NODE_WIDTH)),
    height: Math.max(0, ...all.map(({ y }) => y + NODE_HEIGHT)),
  };
}
