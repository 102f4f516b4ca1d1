import { Graph, layout } from '@dagrejs/dagre';
import type { GraphNode } from './run-graph.ts';

export const NODE_WIDTH = 146;
export const NODE_HEIGHT = 48;

interface Place {
  readonly x: number;
  readonly y: number;
}

export function placesOf(nodes: readonly GraphNode[]): ReadonlyMap<string, Place> {
  const graph = new Graph();
  graph.setGraph({ rankdir: 'LR', nodesep: 16, ranksep: 24 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id } of nodes) graph.setNode(id, { width: NODE_WIDTH, height: NODE_HEIGHT });
  for (const { id, needs } of nodes) for (const need of needs) graph.setEdge(need, id);
  layout(graph);
  return new Map(
    nodes.map(({ id }) => {
      const { x, y } = graph.node(id) as Place;
      return [id, { x: x - NODE_WIDTH / 2, y: y - NODE_HEIGHT / 2 }];
    }),
  );
}
