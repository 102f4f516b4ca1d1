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

/** The part of an event that its meaning depends on: journal events and served events both have it. */
export type Occurrence<T extends EventType = EventType> = {
  readonly [K in T]: Pick<EventOf<K>, 'type' | 'attempt' | 'data'>;
}[T];

/** Whether this version of the service knows the type of a served event; its `data` then belongs to the type. */
export function isOccurrence<E extends { readonly type: string }>(event: E): event is E & Occurrence {
  return isEventType(event.type);
}

/** Whether an event is about a node, and not about the whole execution. */
export function isOfNode<E extends Occurrence>(event: E): event is E & Occurrence<NodeEventType> {
  return event.attempt !== null;
}

type ExecutionEventType = Exclude<EventType, NodeEventType>;

/** What an event changes in its execution. */
export interface ExecutionTransition {
  readonly status: ExecutionStatus;
  /** Why it has this status; null if the status needs no reason. */
  readonly reason: string | null;
  readonly error: ExecutionError | null;
  /** The instant that the event marks. */
  readonly marks: 'start' | 'end' | null;
  /** ISO 8601: the earliest known wake-up; null unless a timer wakes the execution. */
  readonly wakeAt: string | null;
  /** Whether running attempts were lost: they run again with the same number. Loops continue. */
  readonly interrupts: boolean;
}

/** What an event changes in its node. It replaces every field of the status before. */
export interface NodeTransition {
  readonly status: NodeStatus;
  /** From 1; null if no attempt began. */
  readonly attempt: number | null;
  readonly error: NodeError | null;
  /** ISO 8601: the next wake-up by a timer. */
  readonly wakeAt: string | null;
  /** What a waiting node waits for. */
  readonly wait: EventDataByType['workflow.node.waiting'] | null;
}

/** An event that changes the status only. */
const EXECUTION = { reason: null, error: null, marks: null, wakeAt: null, interrupts: false } as const;
const NODE = { error: null, wakeAt: null, wait: null } as const;

/**
 * What an event means for its execution. Every read model of executions is built on this function.
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
      // A queued or paused execution stays so under its new lease.
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
 * What an event means for its node; null if the node keeps its status. Every read model of nodes is built on this
 * function.
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

/** How far the execution is after an event; null if the event does not say. */
export function progressIn({ data }: Occurrence): Progress | null {
  return 'progress' in data ? data.progress : null;
}
