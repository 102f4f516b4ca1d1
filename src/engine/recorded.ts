import type { EventDataByType, EventType, JournalEvent, NodeEventType, Progress } from './event.js';
import type { NodeError } from './node-type.js';
import type { Plan, PlannedNode } from './plan.js';
import type { ExecutionState } from './state.js';

/** An event of the whole execution. */
export function workflowEvent<T extends Exclude<EventType, NodeEventType>>(
  type: T,
  at: number,
  data: EventDataByType[T],
): JournalEvent {
  return { type, at, nodeId: null, attempt: null, data } as JournalEvent;
}

/** An event of one attempt of a node; `data` is completed with what names the node. */
export function nodeEvent<T extends NodeEventType>(
  type: T,
  at: number,
  node: PlannedNode,
  attempt: number,
  data: Omit<EventDataByType[T], 'node_id' | 'node_type'>,
): JournalEvent {
  const whole = { node_id: node.id, node_type: node.type.type, ...data };
  return { type, at, nodeId: node.id, attempt, data: whole } as unknown as JournalEvent;
}

/** The failure of a node after its last attempt. */
export function nodeFailed(
  node: PlannedNode,
  attempt: number,
  at: number,
  error: NodeError,
  durationMs: number,
  progress: Progress,
): JournalEvent {
  return nodeEvent('workflow.node.failed', at, node, attempt, {
    status: 'failed',
    error,
    duration_ms: durationMs,
    continued: node.onError === 'continue',
    progress,
  });
}

/** @param more nodes settled that the state does not hold yet */
export function progressOf(plan: Plan, state: ExecutionState, more: number): Progress {
  return { completed: state.settled + more, total: plan.order.length };
}

/** Milliseconds since the execution began; 0 where it never did. */
export function elapsed(state: ExecutionState, now: number): number {
  return state.startedAt === null ? 0 : Math.max(0, now - state.startedAt);
}

export function isoInstant(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

/** Whether a number of milliseconds is a time at all: a node type may ask for any number. */
export function isInstant(epochMs: number): boolean {
  return !Number.isNaN(new Date(epochMs).getTime());
}
