import { assertNever } from './assert-never.js';
import type { NodeError } from './attempt.js';
import {
  type EventDataByType,
  type EventOf,
  type EventType,
  isEventType,
  type NodeEventType,
  type Progress,
} from './event.js';
import type { ExecutionError } from './execution-error.js';
import type { ExecutionStatus, NodeStatus } from './status.js';

/** Fields that stored events and events of the API share. */
export type Occurrence<T extends EventType = EventType> = {
  readonly [K in T]: Pick<EventOf<K>, 'type' | 'attempt' | 'data'>;
}[T];

/** True if this service version knows the event's type, so that `data` has a known form. */
export function isOccurrence<E extends { readonly type: string }>(event: E): event is E & Occurrence {
  return isEventType(event.type);
}

export function isOfNode<E extends Occurrence>(event: E): event is E & Occurrence<NodeEventType> {
  return event.attempt !== null;
}

type ExecutionEventType = Exclude<EventType, NodeEventType>;

export interface ExecutionTransition {
  readonly status: ExecutionStatus;
  /** Null if the status has no reason. */
  readonly reason: string | null;
  readonly error: ExecutionError | null;
  /** Null if the event neither starts nor ends the execution. */
  readonly marks: 'start' | 'end' | null;
  /** ISO 8601 time of the first timer; null if there is none. */
  readonly wakeAt: string | null;
  /** Interrupted attempts run again with the same number; loops continue. */
  readonly interrupts: boolean;
}

/** Replace all fields of the node's previous status. */
export interface NodeTransition {
  readonly status: NodeStatus;
  /** From 1; null if no attempt has started. */
  readonly attempt: number | null;
  readonly error: NodeError | null;
  /** ISO 8601 time of the node's timer; null if there is none. */
  readonly wakeAt: string | null;
  /** Data of the event that started the wait; null unless the node is waiting. */
  readonly wait: EventDataByType['workflow.node.waiting'] | null;
}

/** For events that only change the status. */
const EXECUTION = { reason: null, error: null, marks: null, wakeAt: null, interrupts: false } as const;
const NODE = { error: null, wakeAt: null, wait: null } as const;

/**
 * The only place that derives the status of executions.
 * @param before status before the event
 */
export function executionTransition(
  event: Occurrence<ExecutionEventType>,
  before: ExecutionStatus,
): ExecutionTransition {
  switch (event.type) {
    case 'workflow.queued':
    case 'workflow.resumed':
      return { ...EXECUTION, status: event.data.status };
    case 'workflow.started':
      return { ...EXECUTION, status: 'running', marks: 'start' };
    case 'workflow.waiting':
      return { ...EXECUTION, status: 'waiting', wakeAt: event.data.wake_at };
    case 'workflow.paused':
      return { ...EXECUTION, status: 'paused', reason: event.data.reason };
    case 'workflow.recovered':
      // Queued and paused executions keep their status when another process takes over.
      return { ...EXECUTION, status: before === 'waiting' ? 'running' : before, interrupts: true };
    case 'workflow.completed':
      return { ...EXECUTION, status: 'completed', marks: 'end' };
    case 'workflow.failed': {
      const { status, error } = event.data;
      return { ...EXECUTION, status, reason: error.type, error, marks: 'end' };
    }
    case 'workflow.cancelled':
      return { ...EXECUTION, status: 'cancelled', reason: event.data.reason, marks: 'end' };
    default:
      return assertNever(event);
  }
}

/** The only place that derives the status of nodes. Null if the status stays the same. */
export function nodeTransition(event: Occurrence<NodeEventType>): NodeTransition | null {
  const { attempt } = event;
  switch (event.type) {
    case 'workflow.node.started':
      return { ...NODE, status: 'running', attempt };
    case 'workflow.node.complete':
      return { ...NODE, status: 'completed', attempt };
    case 'workflow.node.failed':
      return { ...NODE, status: 'failed', attempt, error: event.data.error };
    case 'workflow.node.retrying':
      return { ...NODE, status: 'retrying', attempt, error: event.data.error, wakeAt: event.data.retry_at };
    case 'workflow.node.skipped':
      return { ...NODE, status: 'skipped', attempt: null };
    case 'workflow.node.waiting':
      return { ...NODE, status: 'waiting', attempt, wakeAt: event.data.wake_at, wait: event.data };
    case 'workflow.node.progress':
      return null;
    default:
      return assertNever(event);
  }
}

/** Null if the event contains no progress. */
export function progressIn({ data }: Occurrence): Progress | null {
  return 'progress' in data ? data.progress : null;
}
