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

/** A period of a node: an attempt that runs, a wait, or an attempt that was lost when its process crashed. */
export interface Span {
  readonly kind: 'run' | 'wait' | 'lost';
  /** Epoch milliseconds at which the period started. */
  readonly from: number;
  /** Epoch milliseconds at which the period ended; null if the period has not ended. */
  readonly to: number | null;
}

export interface NodePicture {
  readonly id: string;
  readonly type: string;
  readonly status: NodeStatus;
  readonly attempt: number;
  readonly spans: readonly Span[];
  /** Error message of the node's last event; null if that event has no error. */
  readonly fault: string | null;
  /** Epoch milliseconds of the next timer for which the node waits; null if the node waits for no timer. */
  readonly wakeAt: number | null;
}

/** State of an execution for drawing, computed from the received events. */
export interface Picture {
  readonly status: ExecutionStatus;
  /** Sequence of the last applied event. All earlier events of the execution are applied too. */
  readonly sequence: number;
  readonly startedAt: number | null;
  readonly finishedAt: number | null;
  readonly nodes: ReadonlyMap<string, NodePicture>;
  /** Number of nodes that have ended. */
  readonly completed: number;
  /** Events that arrived too early, by sequence. Each waits until all events with lower sequences were applied. */
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

/**
 * Returns the state after an event. Repeated events are ignored. An event that arrives before an earlier event is
 * buffered.
 */
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
  // A newer version of the service may send event types that this version does not know.
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

/** Kind of the period that starts when a node gets a status; null if the status starts no period. */
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

/**
 * Returns the nodes after a crash of their process. The last period of an interrupted node is lost, and the node is
 * pending again.
 */
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
