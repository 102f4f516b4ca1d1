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

/** The fields of an event that transitions read. Both stored events and events of the API have these fields. */
export type Occurrence<T extends EventType = EventType> = {
  readonly [K in T]: Pick<EventOf<K>, 'type' | 'attempt' | 'data'>;
}[T];

/** Whether this service version knows the type of an event from the API. If so, the event's `data` has a known form. */
export function isOccurrence<E extends { readonly type: string }>(event: E): event is E & Occurrence {
  return isEventType(event.type);
}

/** Whether an event belongs to a node and not to the whole execution. */
export function isOfNode<E extends Occurrence>(event: E): event is E & Occurrence<NodeEventType> {
  return event.attempt !== null;
}

type ExecutionEventType = Exclude<EventType, NodeEventType>;

/** The changes that an event makes to the status of its execution. */
export interface ExecutionTransition {
  readonly status: ExecutionStatus;
  /** Reason for the status; null if the status has none. */
  readonly reason: string | null;
  readonly error: ExecutionError | null;
  /** Whether the event starts or ends the execution; null if it does neither. */
  readonly marks: 'start' | 'end' | null;
  /** ISO 8601 time at which the first timer wakes the execution; null if no timer does. */
  readonly wakeAt: string | null;
  /** Whether the event interrupts running attempts. These attempts run again with the same number; loops continue. */
  readonly interrupts: boolean;
}

/** The fields that an event gives to its node. They replace all fields of the previous status. */
export interface NodeTransition {
  readonly status: NodeStatus;
  /** Number of the attempt, from 1; null if no attempt has started. */
  readonly attempt: number | null;
  readonly error: NodeError | null;
  /** ISO 8601 time at which a timer wakes the node; null if no timer does. */
  readonly wakeAt: string | null;
  /** Data of the event that started the wait; null unless the node is waiting. */
  readonly wait: EventDataByType['workflow.node.waiting'] | null;
}

/** Defaults of an event that only changes the status. */
const EXECUTION = { reason: null, error: null, marks: null, wakeAt: null, interrupts: false } as const;
const NODE = { error: null, wakeAt: null, wait: null } as const;

/**
 * The changes that an event makes to its execution. All code that derives the status of executions uses this function.
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
      // A queued or paused execution keeps its status when another process takes it over.
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
 * The changes that an event makes to its node; null if the status of the node stays the same. All code that derives the
 * status of nodes uses this function.
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

/** Progress of the execution in an event; null if the event contains none. */
export function progressIn({ data }: Occurrence): Progress | null {
  return 'progress' in data ? data.progress : null;
}
