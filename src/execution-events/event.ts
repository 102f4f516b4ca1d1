import type { ExecutionError } from './execution-error.js';
import type { JsonObject } from '../expressions/index.js';
import type { RecordedValue } from '../long-values/index.js';
import type { ApproverRules, NodeError, RecordedResumption } from './attempt.js';

/** Number of ended nodes and number of all nodes. Skipped nodes count as ended. */
export interface Progress {
  readonly completed: number;
  readonly total: number;
}

export interface Trigger {
  readonly type: TriggerType;
  readonly id: string | null;
  /** Id of the person who started or retried the execution; absent if the service does not know this person. */
  readonly user_id?: string;
}
export type TriggerType = 'api' | 'cli' | 'retry' | 'parent' | 'schedule' | 'hook' | 'webhook';

interface NodeEventData {
  readonly node_id: string;
  readonly node_type: string;
  /** Index of the loop item for which the node runs, from 0; absent outside of loops. */
  readonly iteration?: number;
  readonly iteration_of?: string;
}

/**
 * The `data` of each event type in snake_case, as stored and as the API returns the data. Long values are stored
 * separately, so they must be read by `recordedValue`.
 */
export interface EventDataByType {
  'workflow.queued': {
    readonly status: 'queued';
    readonly workflow_version: number;
    readonly input: RecordedValue;
    readonly trigger: Trigger;
    readonly attempt: number;
    readonly metadata: JsonObject;
    /** ISO 8601 time before which the execution does not start; absent if the caller requested no time. */
    readonly scheduled_for?: string;
    readonly retry_of?: string;
    /** W3C `traceparent` of the caller, of the parent, or of the retried execution. */
    readonly traceparent?: string;
    readonly tracestate?: string;
  };
  'workflow.started': {
    readonly status: 'running';
    readonly workflow_version: number;
    /** Time of the execution's timeout. If `timeout_counts` is `active`, each wait or pause postpones the timeout. */
    readonly timeout_at: string;
    /** `active` if waits and pauses do not count toward the timeout; absent if they count. */
    readonly timeout_counts?: 'active';
    /**
     * Time at which the execution ends at the latest, including waits and pauses. Absent if the workflow has no
     * deadline.
     */
    readonly deadline_at?: string;
    readonly progress: Progress;
  };
  'workflow.waiting': {
    readonly status: 'waiting';
    /** Time at which the first timer wakes the execution; null if only a message can wake the execution. */
    readonly wake_at: string | null;
    readonly node_ids: readonly string[];
  };
  'workflow.paused': { readonly status: 'paused'; readonly reason: string | null };
  'workflow.resumed': {
    /** Status after the resumption: `queued` if the execution was paused before its start, else `running`. */
    readonly status: 'running' | 'queued';
    readonly reason: 'timer' | 'signal' | 'child' | 'request';
  };
  'workflow.recovered': {
    readonly status: 'running';
    readonly cause: 'crash' | 'hand_over';
    readonly recoveries: number;
    /** Ids of the nodes that run again, because they were running when their process was lost. */
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
    /** The node's parameters (`with`) after the evaluation of their expressions. */
    readonly input: RecordedValue;
    /** Number of items over which a `foreach` node iterates. */
    readonly iterations?: number;
    /**
     * Why a suspended attempt continues: its timer, a signal or the end of a child. Absent if the attempt was not
     * suspended before.
     */
    readonly resumption?: RecordedResumption;
  };
  'workflow.node.complete': NodeEventData & {
    readonly status: 'completed';
    readonly output: RecordedValue;
    /** Log lines that the node wrote; absent if there are none. */
    readonly logs?: readonly string[];
    readonly duration_ms: number;
    readonly cached: boolean;
    /** Id of the execution that computed the output; present only if a retry reuses the output. */
    readonly reused_from?: string;
    readonly progress: Progress;
  };
  'workflow.node.failed': NodeEventData & {
    readonly status: 'failed';
    readonly error: NodeError;
    readonly duration_ms: number;
    /** True if the execution continues after the failure, because the node has `on_error: continue`. */
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
    /** Time at which the node's wait ends at the latest; null if only the execution's timeout limits the wait. */
    readonly wake_at: string | null;
    readonly signal?: string;
    /** Seconds between reminders of the wait; absent if the wait has no reminders. */
    readonly remind_every_seconds?: number;
    readonly child_execution_id?: string;
    /** Question that an approval asks the approver. */
    readonly title?: string;
    readonly description?: string;
    /** Rules for who may decide the approval; absent if everyone who has the signed link may decide. */
    readonly approvers?: ApproverRules;
    readonly approve_url?: string;
    readonly reject_url?: string;
  };
  'workflow.node.progress': NodeEventData & {
    /** Status of the node: `waiting` for a reminder about its wait; `running` if the node reports its progress. */
    readonly status: 'running' | 'waiting';
    /** Progress of the node, from 0 to 1. */
    readonly fraction: number;
    readonly message: string | null;
    /** Number of the reminder, from 1; absent if a running node reports progress. */
    readonly reminder?: number;
  };
}

export type EventType = keyof EventDataByType;
export type NodeEventType = Extract<EventType, `workflow.node.${string}`>;

/**
 * An event as stored in the journal, without its sequence number. The position in the execution's list of events
 * implies the sequence.
 */
export type JournalEvent = { readonly [T in EventType]: EventOf<T> }[EventType];

export type NodeEvent = Extract<JournalEvent, { readonly type: NodeEventType }>;
export type ExecutionEvent = Exclude<JournalEvent, NodeEvent>;

export interface EventOf<T extends EventType> {
  readonly type: T;
  /** Time of the event in epoch milliseconds. */
  readonly at: number;
  /** Id of the event's node; null for an event of the whole execution. */
  readonly nodeId: T extends NodeEventType ? string : null;
  /** Number of the node's attempt, from 1; null for an event of the whole execution. */
  readonly attempt: T extends NodeEventType ? number : null;
  readonly data: EventDataByType[T];
}

/**
 * Current version of each event type's `data`. After an increment, `upcast` must convert data of
 * the previous version.
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

/** An event as stored by this version or another version of the service, before `upcast`. */
export interface StoredEvent {
  readonly type: string;
  readonly version: number;
  readonly at: number;
  readonly nodeId: string | null;
  readonly attempt: number | null;
  readonly data: object;
}

/**
 * An event after `upcast`. An event of an unknown type or version stays as stored. Clients can read such an event, but
 * its execution cannot resume.
 */
export type ReadEvent = JournalEvent | StoredEvent;

/**
 * Returns the version with which to store an event. A `workflow.started` event without active time gets version 1, so
 * that older versions of the service can run the execution.
 */
export function versionOf(event: JournalEvent): number {
  return event.type === 'workflow.started' && event.data.timeout_counts === undefined
    ? 1
    : EVENT_VERSIONS[event.type];
}

/** Converts an event to the current version of its type. Returns an event of an unknown type or version as stored. */
export function upcast(stored: StoredEvent): ReadEvent {
  const { type, version, at, nodeId, attempt, data } = stored;
  if (!isEventType(type)) return stored;
  // A `workflow.started` event of version 1 needs no conversion, because an absent `timeout_counts` still has the same
  // meaning.
  const isReadable = version === EVENT_VERSIONS[type] || (type === 'workflow.started' && version === 1);
  if (!isReadable) return stored;
  return { type, at, nodeId, attempt, data } as JournalEvent;
}

export function isKnown(event: ReadEvent): event is JournalEvent {
  return !('version' in event);
}
