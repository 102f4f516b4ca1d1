import type { ExecutionError } from './execution-error.js';
import type { JsonObject } from '../expressions/index.js';
import type { RecordedValue } from '../long-values/index.js';
import type { ApproverRules, NodeError, RecordedResumption } from './attempt.js';

/** Number of nodes that have ended, including skipped ones, and number of all nodes. */
export interface Progress {
  readonly completed: number;
  readonly total: number;
}

export interface Trigger {
  readonly type: TriggerType;
  readonly id: string | null;
  /**
   * The person who started or retried the execution. Absent if no person did, or if an earlier version of the service
   * recorded the event.
   */
  readonly user_id?: string;
}
export type TriggerType = 'api' | 'cli' | 'retry' | 'parent' | 'schedule' | 'hook' | 'webhook';

/** Fields of every node event. */
interface NodeEventData {
  readonly node_id: string;
  readonly node_type: string;
  /** Index of the item, from 0, if the node is in the body of a loop; otherwise absent. */
  readonly iteration?: number;
  readonly iteration_of?: string;
}

/**
 * The `data` of each event type, as stored and as the API returns it (snake_case). The API returns the keys in this
 * order. A long value is stored separately. `recordedValue` reads the value in either case.
 */
export interface EventDataByType {
  'workflow.queued': {
    readonly status: 'queued';
    readonly workflow_version: number;
    readonly input: RecordedValue;
    readonly trigger: Trigger;
    readonly attempt: number;
    readonly metadata: JsonObject;
    /** Requested earliest time of the start; absent if none was requested. */
    readonly scheduled_for?: string;
    /** Id of the execution that this one retries. */
    readonly retry_of?: string;
    /** Trace context that the execution continues: from its caller, its parent, or the execution that it retries. */
    readonly traceparent?: string;
    readonly tracestate?: string;
  };
  'workflow.started': {
    readonly status: 'running';
    readonly workflow_version: number;
    /** Time at which the execution times out. If `timeout_counts` is `active`, each wait postpones this time. */
    readonly timeout_at: string;
    /** `active` if only active time counts towards the timeout; absent if all time since the start counts. */
    readonly timeout_counts?: 'active';
    /**
     * Deadline of an execution with active time: the execution ends at this time at the latest. Absent if there is no
     * deadline.
     */
    readonly deadline_at?: string;
    readonly progress: Progress;
  };
  'workflow.waiting': {
    readonly status: 'waiting';
    /** Time at which the first timer wakes the execution; null if only a message can. */
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
    /** Nodes that were running when their process was lost. They run again. */
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
    /** The parameters (`with`) of the node after its expressions were evaluated. */
    readonly input: RecordedValue;
    /** Number of items; only for a `foreach` node. */
    readonly iterations?: number;
    /** What woke the attempt; absent unless the attempt was suspended. */
    readonly resumption?: RecordedResumption;
  };
  'workflow.node.complete': NodeEventData & {
    readonly status: 'completed';
    readonly output: RecordedValue;
    /** Log lines of the node; absent if there are none. */
    readonly logs?: readonly string[];
    readonly duration_ms: number;
    readonly cached: boolean;
    /** Id of the execution that ran the node; present if a retry uses that result again. */
    readonly reused_from?: string;
    readonly progress: Progress;
  };
  'workflow.node.failed': NodeEventData & {
    readonly status: 'failed';
    readonly error: NodeError;
    readonly duration_ms: number;
    /** Whether the execution continues in spite of the failure, because the node has `on_error: continue`. */
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
    /** Time at which the wait ends at the latest; null if only the timeout of the execution limits it. */
    readonly wake_at: string | null;
    readonly signal?: string;
    /** Interval of reminders while the node waits for the signal; absent if there are none. */
    readonly remind_every_seconds?: number;
    readonly child_execution_id?: string;
    /** Only for approvals: the question, and the links with which people decide. */
    readonly title?: string;
    readonly description?: string;
    /** Who may decide; absent if everyone with a link may. */
    readonly approvers?: ApproverRules;
    readonly approve_url?: string;
    readonly reject_url?: string;
  };
  'workflow.node.progress': NodeEventData & {
    /** `waiting` for a reminder, `running` for progress. */
    readonly status: 'running' | 'waiting';
    /** Fraction of the node that is done, from 0 to 1. */
    readonly fraction: number;
    readonly message: string | null;
    /** Number of the reminder, from 1; absent if the event reports progress. */
    readonly reminder?: number;
  };
}

export type EventType = keyof EventDataByType;
export type NodeEventType = Extract<EventType, `workflow.node.${string}`>;

/**
 * A recorded fact about an execution. Its sequence is its index in the journal plus 1, so it is not part of the event.
 */
export type JournalEvent = { readonly [T in EventType]: EventOf<T> }[EventType];

export type NodeEvent = Extract<JournalEvent, { readonly type: NodeEventType }>;
export type ExecutionEvent = Exclude<JournalEvent, NodeEvent>;

export interface EventOf<T extends EventType> {
  readonly type: T;
  /** Epoch milliseconds. */
  readonly at: number;
  /** Id of the node; null for events of the whole execution. */
  readonly nodeId: T extends NodeEventType ? string : null;
  /** Number of the node's attempt, from 1; null for events of the whole execution. */
  readonly attempt: T extends NodeEventType ? number : null;
  readonly data: EventDataByType[T];
}

/**
 * Current version of each event type's `data`. If you increment a version, `upcast` must convert the previous version.
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

/** An event as this version or an earlier version of the service stored it. */
export interface StoredEvent {
  readonly type: string;
  readonly version: number;
  readonly at: number;
  readonly nodeId: string | null;
  readonly attempt: number | null;
  readonly data: object;
}

/**
 * An event after `upcast`. An event that this version of the service does not know is returned as stored: clients can
 * read it, but this version cannot resume its execution.
 */
export type ReadEvent = JournalEvent | StoredEvent;

/**
 * The version with which an event is stored. A start without active time is stored as version 1. Processes of an older
 * service version, which cannot measure active time, can then still run the execution.
 */
export function versionOf(event: JournalEvent): number {
  return event.type === 'workflow.started' && event.data.timeout_counts === undefined
    ? 1
    : EVENT_VERSIONS[event.type];
}

/** Converts a stored event to the current version of its type. Returns unknown events as stored. */
export function upcast(stored: StoredEvent): ReadEvent {
  const { type, version, at, nodeId, attempt, data } = stored;
  if (!isEventType(type)) return stored;
  // Version 1 of `workflow.started` has no `timeout_counts`: the timeout counts all time since the start. In the
  // current version, an absent `timeout_counts` has the same meaning.
  const isReadable = version === EVENT_VERSIONS[type] || (type === 'workflow.started' && version === 1);
  if (!isReadable) return stored;
  return { type, at, nodeId, attempt, data } as JournalEvent;
}

export function isKnown(event: ReadEvent): event is JournalEvent {
  return !('version' in event);
}
