import type { ExecutionStatus, NodeStatus } from '../engine/index.js';
import type { WireEvent } from './wire-event.js';

/** A stretch of a node's time: it ran, it slept, or it ran in a process that was lost. */
export interface Span {
  readonly kind: 'run' | 'wait' | 'lost';
  /** Epoch milliseconds. */
  readonly from: number;
  /** Null while it lasts. */
  readonly to: number | null;
}

export interface NodePicture {
  readonly id: string;
  readonly type: string;
  readonly status: NodeStatus;
  readonly attempt: number;
  readonly spans: readonly Span[];
  /** What went wrong last; null where nothing did or it is past. */
  readonly fault: string | null;
  /** Epoch milliseconds at which it goes on; null where it does not wait. */
  readonly wakeAt: number | null;
}

/** An execution as its events have told it so far. */
export interface Picture {
  readonly status: ExecutionStatus;
  /** Of the last event that counts; those before it are all there. */
  readonly sequence: number;
  readonly startedAt: number | null;
  readonly finishedAt: number | null;
  readonly nodes: ReadonlyMap<string, NodePicture>;
  /** Nodes settled. */
  readonly completed: number;
  /** Events that came before those they follow. */
  readonly early: ReadonlyMap<number, WireEvent>;
}

/** Nothing has happened yet. @param nodes id and type of each node, in the order to draw them */
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

/** The picture after an event. One that is known already changes nothing; one that is early waits for its turn. */
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
  const at = Date.parse(event.created_at);
  switch (event.type) {
    case 'workflow.started':
      return { ...picture, status: 'running', startedAt: at };
    case 'workflow.recovered':
      return { ...picture, status: 'running', nodes: interrupted(picture, event.data.node_ids, at) };
    case 'workflow.completed':
    case 'workflow.failed':
    case 'workflow.cancelled':
      return {
        ...picture,
        status: event.data.status,
        finishedAt: at,
        completed: event.data.progress.completed,
      };
    case 'workflow.queued':
    case 'workflow.waiting':
    case 'workflow.paused':
    case 'workflow.resumed':
      return { ...picture, status: event.data.status };
    case 'workflow.node.complete':
    case 'workflow.node.failed':
    case 'workflow.node.skipped':
      return { ...withNode(picture, event, at), completed: event.data.progress.completed };
    case 'workflow.node.started':
    case 'workflow.node.retrying':
    case 'workflow.node.waiting':
    case 'workflow.node.progress':
      return withNode(picture, event, at);
  }
}

type NodeEvent = Extract<WireEvent, { readonly type: `workflow.node.${string}` }>;

function withNode(picture: Picture, event: NodeEvent, at: number): Picture {
  const before = picture.nodes.get(event.data.node_id);
  if (before === undefined) return picture;
  const after = { ...nodeAfter(before, event, at), attempt: event.attempt ?? before.attempt };
  return { ...picture, nodes: new Map(picture.nodes).set(before.id, after) };
}

function nodeAfter(node: NodePicture, event: NodeEvent, at: number): NodePicture {
  const past = closed(node.spans, at);
  switch (event.type) {
    case 'workflow.node.started':
      return { ...node, status: 'running', spans: [...past, open('run', at)], fault: null, wakeAt: null };
    case 'workflow.node.retrying':
      return {
        ...node,
        status: 'retrying',
        spans: [...past, open('wait', at)],
        fault: event.data.error.message,
        wakeAt: Date.parse(event.data.retry_at),
      };
    case 'workflow.node.waiting':
      return {
        ...node,
        status: 'waiting',
        spans: [...past, open('wait', at)],
        wakeAt: event.data.wake_at === null ? null : Date.parse(event.data.wake_at),
      };
    case 'workflow.node.failed':
      return { ...node, status: 'failed', spans: past, fault: event.data.error.message, wakeAt: null };
    case 'workflow.node.complete':
    case 'workflow.node.skipped':
      return { ...node, status: event.data.status, spans: past, fault: null, wakeAt: null };
    case 'workflow.node.progress':
      return node;
  }
}

/** What ran in a process that is gone was lost with it, and begins again. */
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

function open(kind: Span['kind'], from: number): Span {
  return { kind, from, to: null };
}

function closed(spans: readonly Span[], to: number): readonly Span[] {
  return spans.map((span) => (span.to === null ? { ...span, to } : span));
}
