import {
  type ExecutionStatus,
  executionTransition,
  isOccurrence,
  isOfNode,
  type NodeEventType,
  type NodeStatus,
  type NodeTransition,
  nodeTransition,
  type Occurrence,
  progressIn,
} from '../execution-events/index.js';
import type { WireEvent } from './wire-event.js';

/** A period of a node in one state: running, waiting, or lost with its process. */
export interface Span {
  readonly kind: 'run' | 'wait' | 'lost';
  /** Epoch milliseconds. */
  readonly from: number;
  /** Epoch milliseconds; null if the period has not ended. */
  readonly to: number | null;
}

export interface NodePicture {
  readonly id: string;
  readonly type: string;
  readonly status: NodeStatus;
  readonly attempt: number;
  readonly spans: readonly Span[];
  /** Message of the node's last error; null if the node had none. */
  readonly fault: string | null;
  /** Epoch milliseconds of the node's next timer; null if there is none. */
  readonly wakeAt: number | null;
}

/** The state of an execution after the received events. */
export interface Picture {
  readonly status: ExecutionStatus;
  /** Sequence of the last applied event. All earlier events are applied too. */
  readonly sequence: number;
  readonly startedAt: number | null;
  readonly finishedAt: number | null;
  readonly nodes: ReadonlyMap<string, NodePicture>;
  /** Number of ended nodes. */
  readonly completed: number;
  /** Buffered events by sequence, because an earlier event has not arrived. */
  readonly early: ReadonlyMap<number, WireEvent>;
}

/**
 * @param nodes id and type of each node, in drawing order
 */
export function blankPicture(nodes: readonly { readonly id: string; readonly type: string }[]): Picture {
  return {
    status: 'queued',
    sequence: 0,
    startedAt: null,
    finishedAt: null,
    nodes: new Map(
      nodes.map(({ id, type }) => [
        id,
        { id, type, status: 'pending', attempt: 0, spans: [], fault: null, wakeAt: null },
      ]),
    ),
    completed: 0,
    early: new Map(),
  };
}

/** Ignores repeated events, and buffers events that arrive before earlier ones. */
export function withEvent(picture: Picture, event: WireEvent): Picture {
  if (event.sequence <= picture.sequence) return picture;
  let current: Picture = { ...picture, early: new Map(picture.early).set(event.sequence, event) };
  for (;;) {
    const next = current.early.get(current.sequence + 1);
    if (next === undefined) return current;
    const early = new Map(current.early);
    early.delete(next.sequence);
    current = { ...changed(current, next), sequence: next.sequence, early };
  }
}

function changed(picture: Picture, event: WireEvent): Picture {
  // Newer services may send unknown types.
  if (!isOccurrence(event)) return picture;
  const at = Date.parse(event.created_at);
  const completed = progressIn(event)?.completed ?? picture.completed;
  if (isOfNode(event)) return { ...picture, completed, nodes: withNode(picture.nodes, event, at) };
  const { status, marks } = executionTransition(event, picture.status);
  return {
    ...picture,
    completed,
    status,
    startedAt: marks === 'start' ? at : picture.startedAt,
    finishedAt: marks === 'end' ? at : picture.finishedAt,
    nodes:
      event.type === 'workflow.recovered' ? interrupted(picture, event.data.node_ids, at) : picture.nodes,
  };
}

function withNode(
  nodes: Picture['nodes'],
  event: Occurrence<NodeEventType>,
  at: number,
): ReadonlyMap<string, NodePicture> {
  const before = nodes.get(event.data.node_id);
  const transition = nodeTransition(event);
  return before === undefined || transition === null
    ? nodes
    : new Map(nodes).set(before.id, nodeAfter(before, transition, at));
}

/** What a node in each status does: run or wait. Null for a status that begins no period. */
const SPANS: Readonly<Record<NodeStatus, 'run' | 'wait' | null>> = {
  pending: null,
  running: 'run',
  retrying: 'wait',
  waiting: 'wait',
  completed: null,
  failed: null,
  skipped: null,
};

function nodeAfter(
  node: NodePicture,
  { status, attempt, error, wakeAt }: NodeTransition,
  at: number,
): NodePicture {
  const kind = SPANS[status];
  const past = closed(node.spans, at);
  return {
    ...node,
    status,
    attempt: attempt ?? node.attempt,
    spans: kind === null ? past : [...past, { kind, from: at, to: null }],
    fault: error?.message ?? null,
    wakeAt: wakeAt === null ? null : Date.parse(wakeAt),
  };
}

/** A running node of a lost process loses its attempt and is pending again. */
function interrupted(picture: Picture, ids: readonly string[], at: number): ReadonlyMap<string, NodePicture> {
  const nodes = new Map(picture.nodes);
  for (const id of ids) {
    const node = nodes.get(id);
    if (node === undefined) continue;
    const spans = node.spans.map((span) =>
      span.to === null ? { ...span, kind: 'lost' as const, to: at } : span,
    );
    nodes.set(id, { ...node, status: 'pending', spans });
  }
  return nodes;
}

function closed(spans: readonly Span[], to: number): readonly Span[] {
  return spans.map((span) => (span.to === null ? { ...span, to } : span));
}
