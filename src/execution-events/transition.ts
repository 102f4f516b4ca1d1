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

/** The fields that stored events and API events have in common. */
export type Occurrence<T extends EventType = EventType> = {
  readonly [K in T]: Pick<EventOf<K>, 'type' | 'attempt' | 'data'>;
}[T];

/** Returns true if this version of the service knows the event's type. The type then determines the form of `data`. */
export function isOccurrence<E extends { readonly type: string }>(event: E): event is E & Occurrence {
  return isEventType(event.type);
}

export function isOfNode<E extends Occurrence>(event: E): event is E & Occurrence<NodeEventType> {
  return event.attempt !== null;
}

type ExecutionEventType = Exclude<EventType, NodeEventType>;

export interface ExecutionTransition {
  readonly status: ExecutionStatus;
  /** Why the execution has its status, such as a caller's reason or an error type. Null if the status has no reason. */
  readonly reason: string | null;
  readonly error: ExecutionError | null;
  /** Whether the event starts or ends the execution. Null for all other events. */
  readonly marks: 'start' | 'end' | null;
  /** ISO 8601 time at which the first timer wakes the execution; null if no timer is set. */
  readonly wakeAt: string | null;
  /**
   * True if the event interrupts the running attempts. Interrupted attempts run again with the same number. A loop is
   * not interrupted: only the attempts of its items are.
   */
  readonly interrupts: boolean;
}

/**
 * The status of a node after an event, and the fields that belong to this status. All fields of the node's previous
 * status are dropped.
 */
export interface NodeTransition {
  readonly status: NodeStatus;
  /** Number of the node's attempt, from 1; null if the node was skipped without an attempt. */
  readonly attempt: number | null;
  readonly error: NodeError | null;
  /** ISO 8601 time at which the node's timer fires; null if the node has no timer. */
  readonly wakeAt: string | null;
  /** Data of the event with which the node's wait started; null unless the node is waiting. */
  readonly wait: EventDataByType['workflow.node.waiting'] | null;
}

/** Fields of an execution's transition that changes only the status. Other transitions override some of them. */
const EXECUTION = { reason: null, error: null, marks: null, wakeAt: null, interrupts: false } as const;
const NODE = { error: null, wakeAt: null, wait: null } as const;

/**
 * Derives the status of an execution after an event. No other code derives this status.
 *
 * @param before status of the execution before the event
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
      // Queued and paused executions keep their status when another process takes them over.
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

/**
 * Derives the status of a node after an event, or null if the event does not change it. No other code derives the
 * status of a node.
 */
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

/** Returns the number of ended nodes after an event; null if the event does not contain this number. */
export function progressIn({ data }: Occurrence): Progress | null {
  return 'progress' in data ? data.progress : null;
}
