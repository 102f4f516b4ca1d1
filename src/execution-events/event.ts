import type { ExecutionError } from './execution-error.js';
import type { JsonObject } from '../expressions/index.js';
import type { RecordedValue } from '../long-values/index.js';
import type { ApproverRules, NodeError, RecordedResumption } from './attempt.js';

/** Ended nodes include skipped ones. */
export interface Progress {
  readonly completed: number;
  readonly total: number;
}

export interface Trigger {
  readonly type: TriggerType;
  readonly id: string | null;
  /** The person who started or retried the execution; absent if unknown. */
  readonly user_id?: string;
}
export type TriggerType = 'api' | 'cli' | 'retry' | 'parent' | 'schedule' | 'hook' | 'webhook';

interface NodeEventData {
  readonly node_id: string;
  readonly node_type: string;
  /** Index of the item, from 0; absent outside of loops. */
  readonly iteration?: number;
  readonly iteration_of?: string;
}

/**
 * The `data` of each event type in snake_case, as stored and as the API returns it. Read long
 * values by `recordedValue`, because they are stored separately.
 */
export interface EventDataByType {
  'workflow.queued': {
    readonly status: 'queued';
    readonly workflow_version: number;
    readonly input: RecordedValue;
    readonly trigger: Trigger;
    readonly attempt: number;
    readonly metadata: JsonObject;
    /** Absent if no earliest start was requested. */
    readonly scheduled_for?: string;
    readonly retry_of?: string;
    /** Trace context of the caller, the parent, or the retried execution. */
    readonly traceparent?: string;
    readonly tracestate?: string;
  };
  'workflow.started': {
    readonly status: 'running';
    readonly workflow_version: number;
    /** Each wait postpones this time if `timeout_counts` is `active`. */
    readonly timeout_at: string;
    /** Absent if the timeout also counts waits and pauses. */
    readonly timeout_counts?: 'active';
    /** Latest end of an execution with active time; absent if there is none. */
    readonly deadline_at?: string;
    readonly progress: Progress;
  };
  'workflow.waiting': {
    readonly status: 'waiting';
    /** Time of the first timer; null if only a message can wake the execution. */
    readonly wake_at: string | null;
    readonly node_ids: readonly string[];
  };
  'workflow.paused': { readonly status: 'paused'; readonly reason: string | null };
  'workflow.resumed': {
    /** `queued` if the execution was paused before it started. */
    readonly status: 'running' | 'queued';
    readonly reason: 'timer' | 'signal' | 'child' | 'request';
  };
  'workflow.recovered': {
    readonly status: 'running';
    readonly cause: 'crash' | 'hand_over';
    readonly recoveries: number;
    /** Nodes that were running when their process was lost, and that run again. */
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
    /** The node's parameters (`with`) with evaluated expressions. */
    readonly input: RecordedValue;
    /** Number of items of a `foreach` node. */
    readonly iterations?: number;
    /** Absent unless the attempt was suspended. */
    readonly resumption?: RecordedResumption;
  };
  'workflow.node.complete': NodeEventData & {
    readonly status: 'completed';
    readonly output: RecordedValue;
    /** Absent if the node wrote no log lines. */
    readonly logs?: readonly string[];
    readonly duration_ms: number;
    readonly cached: boolean;
    /** Id of the execution whose result a retry uses again. */
    readonly reused_from?: string;
    readonly progress: Progress;
  };
  'workflow.node.failed': NodeEventData & {
    readonly status: 'failed';
    readonly error: NodeError;
    readonly duration_ms: number;
    /** True if the node has `on_error: continue`. */
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
    /** Latest end of the wait; null if only the execution's timeout limits the wait. */
    readonly wake_at: string | null;
    readonly signal?: string;
    /** Absent if the wait has no reminders. */
    readonly remind_every_seconds?: number;
    readonly child_execution_id?: string;
    /** Question of an approval. */
    readonly title?: string;
    readonly description?: string;
    /** Absent if everyone with a link may decide. */
    readonly approvers?: ApproverRules;
    readonly approve_url?: string;
    readonly reject_url?: string;
  };
  'workflow.node.progress': NodeEventData & {
    /** `waiting` for a reminder, `running` for progress. */
    readonly status: 'running' | 'waiting';
    /** From 0 to 1. */
    readonly fraction: number;
    readonly message: string | null;
    /** From 1; absent if the event reports progress. */
    readonly reminder?: number;
  };
}

export type EventType = keyof EventDataByType;
export type NodeEventType = Extract<EventType, `workflow.node.${string}`>;

/** The sequence is the journal index plus 1, so events do not contain it. */
export type JournalEvent = { readonly [T in EventType]: EventOf<T> }[EventType];

export type NodeEvent = Extract<JournalEvent, { readonly type: NodeEventType }>;
export type ExecutionEvent = Exclude<JournalEvent, NodeEvent>;

export interface EventOf<T extends EventType> {
  readonly type: T;
  /** Epoch milliseconds. */
  readonly at: number;
  /** Null for events of the whole execution. */
  readonly nodeId: T extends NodeEventType ? string : null;
  /** From 1; null for events of the whole execution. */
  readonly attempt: T extends NodeEventType ? number : null;
  readonly data: EventDataByType[T];
}

/**
 * Version of each event type's `data`. After an increment, `upcast` must convert the previous
 * version.
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

export const FINAL_EVENT_TYPES = ['workflow.completed', 'workflow.failed', 'workflow.cancelled'] as const;

export function isEventType(value: unknown): value is EventType {
  return typeof value === 'string' && Object.hasOwn(EVENT_VERSIONS, value);
}

export function isFinalEventType(type: string): boolean {
  return (FINAL_EVENT_TYPES as readonly string[]).includes(type);
}

/** An event of this or an earlier service version. */
export interface StoredEvent {
  readonly type: string;
  readonly version: number;
  readonly at: number;
  readonly nodeId: string | null;
  readonly attempt: number | null;
  readonly data: object;
}

/**
 * An event after `upcast`. Unknown events stay as stored, so clients can read them but their
 * execution cannot resume.
 */
export type ReadEvent = JournalEvent | StoredEvent;

/**
 * Starts without active time are stored as version 1, so that older service versions can run the
 * execution.
 */
export function versionOf(event: JournalEvent): number {
  return event.type === 'workflow.started' && event.data.timeout_counts === undefined
    ? 1
    : EVENT_VERSIONS[event.type];
}

/** Converts to the current version; returns unknown events as stored. */
export function upcast(stored: StoredEvent): ReadEvent {
  const { type, version, at, nodeId, attempt, data } = stored;
  if (!isEventType(type)) return stored;
  // Version 1 of `workflow.started` needs no conversion, because an absent `timeout_counts` has the
  // same meaning today.
  const isReadable = version === EVENT_VERSIONS[type] || (type === 'workflow.started' && version === 1);
  if (!isReadable) return stored;
  return { type, at, nodeId, attempt, data } as JournalEvent;
}

export function isKnown(event: ReadEvent): event is JournalEvent {
  return !('version' in event);
}
