import type { ExecutionError } from './execution-error.js';
import type { JsonObject } from '../expressions/index.js';
import type { RecordedValue } from '../long-values/index.js';
import type { ApproverRules, NodeError, RecordedResumption } from './attempt.js';

/** Number of settled nodes, skipped ones included, out of all nodes. */
export interface Progress {
  readonly completed: number;
  readonly total: number;
}

export interface Trigger {
  readonly type: TriggerType;
  readonly id: string | null;
  /** The person who started or retried the execution; absent if no person did, or an earlier version recorded it. */
  readonly user_id?: string;
}
export type TriggerType = 'api' | 'cli' | 'retry' | 'parent' | 'schedule' | 'hook' | 'webhook';

/** Fields of every node event. */
interface NodeEventData {
  readonly node_id: string;
  readonly node_type: string;
  /** Inside a loop: index of the item, from 0, and id of the loop. Absent elsewhere. */
  readonly iteration?: number;
  readonly iteration_of?: string;
}

/**
 * The `data` of each event type, as stored and served (snake_case). The key order is the wire order. A long value is
 * stored apart from its event; `recordedValue` reads both forms.
 */
export interface EventDataByType {
  'workflow.queued': {
    readonly status: 'queued';
    readonly workflow_version: number;
    readonly input: RecordedValue;
    readonly trigger: Trigger;
    readonly attempt: number;
    readonly metadata: JsonObject;
    /** Earliest start, if one was requested. */
    readonly scheduled_for?: string;
    /** Id of the execution that this one retries. */
    readonly retry_of?: string;
    /** Where it continues the trace of a caller, of its parent or of the execution that it repeats. */
    readonly traceparent?: string;
    readonly tracestate?: string;
  };
  'workflow.started': {
    readonly status: 'running';
    readonly workflow_version: number;
    /** With `timeout_counts`: when its time is up if it never waits. */
    readonly timeout_at: string;
    /** Set if only active time counts; absent if the time counts from the start. */
    readonly timeout_counts?: 'active';
    /** The latest end of an execution whose active time counts, where it has one. */
    readonly deadline_at?: string;
    readonly progress: Progress;
  };
  'workflow.waiting': {
    readonly status: 'waiting';
    /** The earliest known wake-up; null if only a message wakes it. */
    readonly wake_at: string | null;
    readonly node_ids: readonly string[];
  };
  'workflow.paused': { readonly status: 'paused'; readonly reason: string | null };
  'workflow.resumed': {
    /** `queued` if it was paused before it started. */
    readonly status: 'running' | 'queued';
    readonly reason: 'timer' | 'signal' | 'child' | 'request';
  };
  'workflow.recovered': {
    readonly status: 'running';
    readonly cause: 'crash' | 'hand_over';
    readonly recoveries: number;
    /** Nodes that were running when the process was lost; they run again. */
    readonly node_ids: readonly string[];
  };
  'workflow.completed': {
    readonly status: 'completed';
    readonly output: RecordedValue;
    readonly duration_ms: number;
    readonly progress: Progress;
  };
  'workflow.failed': {
    readonly status: 'failed' | 'timed_out';
    readonly error: ExecutionError;
    readonly duration_ms: number;
    readonly progress: Progress;
  };
  'workflow.cancelled': {
    readonly status: 'cancelled';
    readonly reason: string | null;
    readonly duration_ms: number;
    readonly progress: Progress;
  };
  'workflow.node.started': NodeEventData & {
    readonly status: 'running';
    /** The rendered `with`. */
    readonly input: RecordedValue;
    /** Number of items; only for loops. */
    readonly iterations?: number;
    /** What woke the attempt; only if it was suspended. */
    readonly resumption?: RecordedResumption;
  };
  'workflow.node.complete': NodeEventData & {
    readonly status: 'completed';
    readonly output: RecordedValue;
    /** Log lines of the node; absent if there are none. */
    readonly logs?: readonly string[];
    readonly duration_ms: number;
    readonly cached: boolean;
    /** Id of the execution that ran the node, if a retry reused its result. */
    readonly reused_from?: string;
    readonly progress: Progress;
  };
  'workflow.node.failed': NodeEventData & {
    readonly status: 'failed';
    readonly error: NodeError;
    readonly duration_ms: number;
    /** Whether the execution continues, because of `on_error: continue`. */
    readonly continued: boolean;
    readonly progress: Progress;
  };
  'workflow.node.retrying': NodeEventData & {
    readonly status: 'retrying';
    readonly error: NodeError;
    readonly duration_ms: number;
    readonly retry_at: string;
    readonly delay_ms: number;
    readonly max_attempts: number;
  };
  'workflow.node.skipped': NodeEventData & {
    readonly status: 'skipped';
    readonly reason: 'condition_false' | 'needs_skipped';
    readonly progress: Progress;
  };
  'workflow.node.waiting': NodeEventData & {
    readonly status: 'waiting';
    readonly waiting_for: 'timer' | 'signal' | 'child';
    /** The latest wake-up; null if only the execution's timeout limits the wait. */
    readonly wake_at: string | null;
    readonly signal?: string;
    /** Sends a reminder at this interval until the signal comes. */
    readonly remind_every_seconds?: number;
    readonly child_execution_id?: string;
    /** For approvals: what to decide, and the links for it. */
    readonly title?: string;
    readonly description?: string;
    /** Who may decide; absent if the link alone suffices. */
    readonly approvers?: ApproverRules;
    readonly approve_url?: string;
    readonly reject_url?: string;
  };
  'workflow.node.progress': NodeEventData & {
    /** `waiting` for a reminder. */
    readonly status: 'running' | 'waiting';
    /** 0 to 1. */
    readonly fraction: number;
    readonly message: string | null;
    /** Number of the reminder, from 1; absent for progress. */
    readonly reminder?: number;
  };
}

export type EventType = keyof EventDataByType;
export type NodeEventType = Extract<EventType, `workflow.node.${string}`>;

/**
 * A recorded fact about an execution. Its sequence is its index in the journal plus 1, so lists of events need no
 * numbers.
 */
export type JournalEvent = { readonly [T in EventType]: EventOf<T> }[EventType];

export type NodeEvent = Extract<JournalEvent, { readonly type: NodeEventType }>;
export type ExecutionEvent = Exclude<JournalEvent, NodeEvent>;

export interface EventOf<T extends EventType> {
  readonly type: T;
  /** Epoch milliseconds. */
  readonly at: number;
  /** Null for events of the whole execution. */
  readonly nodeId: T extends NodeEventType ? string : null;
  /** The node's attempt, from 1; null for events of the whole execution. */
  readonly attempt: T extends NodeEventType ? number : null;
  readonly data: EventDataByType[T];
}

/**
 * Version of each event type's `data`. If you increment one, add the conversion from the previous version to `upcast`.
 */
export const EVENT_VERSIONS: Readonly<Record<EventType, number>> = {
  'workflow.queued': 1,
  'workflow.started': 2,
  'workflow.waiting': 1,
  'workflow.paused': 1,
  'workflow.resumed': 1,
  'workflow.recovered': 1,
  'workflow.completed': 1,
  'workflow.failed': 1,
  'workflow.cancelled': 1,
  'workflow.node.started': 1,
  'workflow.node.complete': 1,
  'workflow.node.failed': 1,
  'workflow.node.retrying': 1,
  'workflow.node.skipped': 1,
  'workflow.node.waiting': 1,
  'workflow.node.progress': 1,
};

export const EVENT_TYPES = Object.keys(EVENT_VERSIONS) as readonly EventType[];

/** Event types that end an execution. */
export const FINAL_EVENT_TYPES = ['workflow.completed', 'workflow.failed', 'workflow.cancelled'] as const;

export function isEventType(value: unknown): value is EventType {
  return typeof value === 'string' && Object.hasOwn(EVENT_VERSIONS, value);
}

export function isFinalEventType(type: string): boolean {
  return (FINAL_EVENT_TYPES as readonly string[]).includes(type);
}

/** An event as this or an earlier version of the service stored it. */
export interface StoredEvent {
  readonly type: string;
  readonly version: number;
  readonly at: number;
  readonly nodeId: string | null;
  readonly attempt: number | null;
  readonly data: object;
}

/**
 * An event as it is read. An event that this version does not know keeps its stored form. It can be shown, but its
 * execution cannot be resumed by this version.
 */
export type ReadEvent = JournalEvent | StoredEvent;

/**
 * The version that an event is stored as. A start without active time is stored as version 1, so that older processes
 * can still run the execution; they would measure active time wrongly.
 */
export function versionOf(event: JournalEvent): number {
  return event.type === 'workflow.started' && event.data.timeout_counts === undefined
    ? 1
    : EVENT_VERSIONS[event.type];
}

/** Converts a stored event to the current version of its type; unknown events are returned as stored. */
export function upcast(stored: StoredEvent): ReadEvent {
  const { type, version, at, nodeId, attempt, data } = stored;
  if (!isEventType(type)) return stored;
  // Version 1 of a start has no active time: its timeout counts from the start.
  const isReadable = version === EVENT_VERSIONS[type] || (type === 'workflow.started' && version === 1);
  if (!isReadable) return stored;
  return { type, at, nodeId, attempt, data } as JournalEvent;
}

export function isKnown(event: ReadEvent): event is JournalEvent {
  return !('version' in event);
}
