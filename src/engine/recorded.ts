import type {
  EventDataByType,
  EventType,
  JournalEvent,
  NodeEventType,
  Progress,
  NodeError,
} from '../execution-events/index.js';
import type { Iteration } from './iteration.js';
import type { Plan } from './plan.js';
import type { PlannedNode } from './planned-node.js';
import type { ExecutionState } from './state.js';

/** Creates an event about an execution as a whole, not about one of its nodes. */
export function workflowEvent<T extends Exclude<EventType, NodeEventType>>(
  type: T,
  at: number,
  data: EventDataByType[T],
): JournalEvent {
  return { type, at, nodeId: null, attempt: null, data } as JournalEvent;
}

/** The `data` of a node event, without the fields that identify the node. */
export type NodeEventDetails<T extends NodeEventType> = Omit<
  EventDataByType[T],
  'node_id' | 'node_type' | 'iteration' | 'iteration_of'
>;

/** Creates an event of one attempt of a node. Adds the fields that identify the node to `data`. */
export function nodeEvent<T extends NodeEventType>(
  type: T,
  at: number,
  node: PlannedNode,
  attempt: number,
  data: NodeEventDetails<T>,
  iteration: Iteration | null = null,
): JournalEvent {
  const place = iteration === null ? {} : { iteration: iteration.index, iteration_of: iteration.of.id };
  const whole = { node_id: node.id, node_type: node.type.type, ...place, ...data };
  return { type, at, nodeId: node.id, attempt, data: whole } as unknown as JournalEvent;
}

/** Creates the event of a node whose last attempt failed. */
export function nodeFailed(
  node: PlannedNode,
  attempt: number,
  at: number,
  error: NodeError,
  durationMs: number,
  progress: Progress,
  iteration: Iteration | null = null,
): JournalEvent {
  const data = {
    status: 'failed',
    error,
    duration_ms: durationMs,
    continued: node.onError === 'continue',
    progress,
  } as const;
  return nodeEvent('workflow.node.failed', at, node, attempt, data, iteration);
}

/** @param more number of ended nodes that the state does not contain yet */
export function progressOf(plan: Plan, state: ExecutionState, more: number): Progress {
  return { completed: state.settled + more, total: plan.order.length };
}

/** Returns the progress of an execution after one more node has ended. Nodes inside loops do not count. */
export function progressWith(plan: Plan, state: ExecutionState, iteration: Iteration | null): Progress {
  return progressOf(plan, state, iteration === null ? 1 : 0);
}

/** Returns the milliseconds since the execution started; 0 if it has not started. */
export function elapsed(state: ExecutionState, now: number): number {
  return state.startedAt === null ? 0 : Math.max(0, now - state.startedAt);
}

/** Last result of `isoInstant`. It is cached, because executions that start in the same millisecond often need it again. */
let last = { epochMs: 0, text: new Date(0).toISOString() };

/** @throws RangeError if `epochMs` is not a valid date */
export function isoInstant(epochMs: number): string {
  if (epochMs !== last.epochMs) last = { epochMs, text: new Date(epochMs).toISOString() };
  return last.text;
}

/** The last millisecond of the year 9999. The ISO 8601 text of a later time does not sort after the texts of earlier times. */
const LAST_INSTANT = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/**
 * Whether a number of epoch milliseconds is a valid date up to the year 9999. Checked for wake-up times, because a node
 * type may return any number.
 */
export function isInstant(epochMs: number): boolean {
  return epochMs <= LAST_INSTANT && !Number.isNaN(new Date(epochMs).getTime());
}
