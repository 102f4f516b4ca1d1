import type { EventDataByType, EventOf, EventType, JournalEvent, Progress } from './event.js';
import type { NodeError } from './node-type.js';
import type { Plan, PlannedNode } from './plan.js';
import type { ExecutionState } from './state.js';

/** An event of the whole execution. */
export function workflowEvent<T extends EventType>(type: T, at: number, data: EventDataByType[T]): JournalEvent {
  const event: EventOf<T> = { type, at, nodeId: null, attempt: null, data };
  return event as JournalEvent;
}

/** An event of one attempt of a node; `data` is completed with what names the node. */
export function nodeEvent<T extends EventType & `workflow.node.${string}`>(
  type: T,
  at: number,
  node: PlannedNode,
  attempt: number,
  data: Omit<EventDataByType[T], 'node_id' | 'node_type'>,
): JournalEvent {
  const whole = { node_id: node.id, node_type: node.type.type, ...data } as unknown as EventDataByType[T];
  const event: EventOf<T> = { type, at, nodeId: node.id, attempt, data: whole };
  return event as JournalEvent;
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
