import { Graph, layout } from '@dagrejs/dagre';
import type { NodeDto } from '../../../api/index.ts';
import { type Address, addressKey, bodyOf, type Definition, needsOf } from './definition.ts';

export const NODE_WIDTH = 168;
export const NODE_HEIGHT = 52;
/** Height of the header in the frame of a loop, in pixels. The header shows the name of the loop. */
export const FRAME_HEADER = 52;
/** Space between the frame of a loop and the nodes in the frame, in pixels. */
const FRAME_PADDING = 20;
const EMPTY_BODY = { width: NODE_WIDTH + 2 * FRAME_PADDING, height: 48 };
/** Space for the condition that labels an edge, in pixels. */
const LABEL = { width: 112, height: 22 };

/** A node with its position and size in pixels. Inside a loop, the position is relative to the frame of the loop. */
export interface PlacedNode {
  readonly key: string;
  readonly address: Address;
  readonly node: NodeDto;
  readonly isLoop: boolean;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface PlacedEdge {
  readonly id: string;
  readonly from: Address;
  readonly to: Address;
  /** Condition of the target node of the edge; null without a condition. */
  readonly condition: string | null;
  /**
   * Whether an expression of the target node refers to the source node. Such an edge exists as long as the expression
   * exists.
   */
  readonly referenced: boolean;
}

export interface BuilderLayout {
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly PlacedEdge[];
}

/** Lays out the graph of a workflow from left to right. Each loop is a frame around the nodes of its body. */
export function builderLayout({ nodes }: Definition, loops: ReadonlySet<string>): BuilderLayout {
  const inner = new Map(
    nodes.filter(({ type }) => loops.has(type)).map((node) => [node.id, graphLayout(bodyOf(node), node.id)]),
  );
  const outer = graphLayout(nodes, null, inner);
  const all = outer.nodes.flatMap((placed) => [
    placed,
    ...(inner.get(placed.node.id)?.nodes ?? []).map((each) => ({
      ...each,
      x: each.x + FRAME_PADDING,
      y: each.y + FRAME_HEADER,
    })),
  ]);
  return { nodes: all, edges: [...outer.edges, ...[...inner.values()].flatMap(({ edges }) => edges)] };
}

interface GraphLayout extends BuilderLayout {
  readonly width: number;
  readonly height: number;
}

function graphLayout(
  nodes: readonly NodeDto[],
  loop: string | null,
  frames: ReadonlyMap<string, GraphLayout> = new Map(),
): GraphLayout {
  const graph = new Graph();
  graph.setGraph({ rankdir: 'LR', nodesep: 24, ranksep: 44 });
  const sizes = new Map(nodes.map(({ id }) => [id, sizeOf(frames.get(id))]));
  for (const { id } of nodes) graph.setNode(id, { ...sizes.get(id) });
  const edges = nodes.flatMap((node) =>
    needsOf(node, nodes).map(({ id, listed, referenced }): PlacedEdge => {
      const from = { loop, id };
      const to = { loop, id: node.id };
      const condition = node.if ?? null;
      return {
        id: `${addressKey(from)}>${addressKey(to)}`,
        from,
        to,
        condition: condition === '' ? null : condition,
        referenced: referenced || !listed,
      };
    }),
  );
  for (const { from, to, condition } of edges)
    graph.setEdge(from.id, to.id, condition === null ? {} : { ...LABEL, labelpos: 'c' });
  layout(graph);
  const placed = nodes.map((node): PlacedNode => {
    const { x, y } = graph.node(node.id) as { readonly x: number; readonly y: number };
    const { width, height } = sizes.get(node.id) ?? sizeOf(undefined);
    const address = { loop, id: node.id };
    return {
      key: addressKey(address),
      address,
      node,
      isLoop: frames.has(node.id),
      x: x - width / 2,
      y: y - height / 2,
      width,
      height,
    };
  });
  return {
    nodes: placed,
    edges,
    width: Math.max(0, ...placed.map(({ x, width }) => x + width)),
    height: Math.max(0, ...placed.map(({ y, height }) => y + height)),
  };
}

function sizeOf(body: GraphLayout | undefined): { readonly width: number; readonly height: number } {
  if (body === undefined) return { width: NODE_WIDTH, height: NODE_HEIGHT };
  if (body.nodes.length === 0)
    return { width: EMPTY_BODY.width, height: EMPTY_BODY.height + FRAME_HEADER + FRAME_PADDING };
  return {
    width: body.width + 2 * FRAME_PADDING,
    height: body.height + FRAME_HEADER + FRAME_PADDING,
  };
}

export type Direction = 'left' | 'right' | 'up' | 'down';

/** The nearest node in the direction of an arrow key. Distance perpendicular to the direction counts twice. */
export function neighborOf(
  nodes: readonly PlacedNode[],
  key: string,
  direction: Direction,
): PlacedNode | undefined {
  const centers = new Map(nodes.map((node) => [node.key, centerOf(node, nodes)]));
  const own = centers.get(key);
  if (own === undefined) return undefined;
  const isAcross = direction === 'left' || direction === 'right';
  const sign = direction === 'right' || direction === 'down' ? 1 : -1;
  let nearest: PlacedNode | undefined;
  let least = Infinity;
  for (const node of nodes) {
    const center = centers.get(node.key);
    if (node.key === key || center === undefined) continue;
    const ahead = sign * (isAcross ? center.x - own.x : center.y - own.y);
    const beside = Math.abs(isAcross ? center.y - own.y : center.x - own.x);
    const distance = ahead + 2 * beside;
    if (ahead <= 1 || distance >= least) continue;
    least = distance;
    nearest = node;
  }
  return nearest;
}

/**
 * The center of a node. For a loop, this is the center of its header, because other nodes lie at the center of its
 * frame.
 */
function centerOf(
  node: PlacedNode,
  nodes: readonly PlacedNode[],
): { readonly x: number; readonly y: number } {
  const frame = nodes.find(({ key }) => key === node.address.loop);
  const height = node.isLoop ? FRAME_HEADER : node.height;
  return {
    x: (frame?.x ?? 0) + node.x + (node.isLoop ? NODE_WIDTH : node.width) / 2,
    y: (frame?.y ?? 0) + node.y + height / 2,
  };
}
