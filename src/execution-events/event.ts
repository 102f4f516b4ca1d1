import type { ExecutionError } from './execution-error.js';
import type { JsonObject } from '../expressions/index.js';
import type { RecordedValue } from '../long-values/index.js';
import type { ApproverRules, NodeError, RecordedResumption } from './attempt.js';

/** Nodes settled (skipped ones included) out of all nodes. */
export interface Progress {
  readonly completed: number;
  readonly total: number;
}

export interface Trigger {
  readonly type: TriggerType;
  readonly id: string | null;
  /** The person who started or retried it; absent where none did, and in executions of earlier versions. */
  readonly user_id?: string;
}
export type TriggerType = 'api' | 'cli' | 'retry' | 'parent' | 'schedule' | 'hook' | 'webhook';

/** What every event of a node begins with. */
interface NodeEventData {
  readonly node_id: string;
  readonly node_type: string;
  /** Inside a loop: the place of its item, from 0, and the loop's id. Absent elsewhere. */
  readonly iteration?: number;
  readonly iteration_of?: string;
}

/**
 * The `data` of each event type, as stored and served (snake_case). The key order here is the wire order. A long value
 * stands elsewhere once it is stored: `recordedValue` reads both.
 */
export interface EventDataByType {
  'workflow.queued': {
    readonly status: 'queued';
    readonly workflow_version: number;
    readonly input: RecordedValue;
    readonly trigger: Trigger;
    readonly attempt: number;
    readonly metadata: JsonObject;
    /** It does not start before then, where that was asked for. */
    readonly scheduled_for?: string;
    /** The execution that this one repeats. */
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
    /** The earliest known wake-up; null where only a signal wakes it. */
    readonly wake_at: string | null;
    readonly node_ids: readonly string[];
  };
  'workflow.paused': { readonly status: 'paused'; readonly reason: string | null };
  'workflow.resumed': {
    /** Queued where it was paused before it began. */
    readonly status: 'running' | 'queued';
    readonly reason: 'timer' | 'signal' | 'child' | 'request';
  };
  'workflow.recovered': {
    readonly status: 'running';
    readonly cause: 'crash' | 'hand_over';
    readonly recoveries: number;
    /** Nodes that ran when their holder was lost; they run again. */
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
    /** The resolved `with`. */
    readonly input: RecordedValue;
    /** Set where it iterates: how many items there are. */
    readonly iterations?: number;
    /** Set where a suspended attempt goes on. */
    readonly resumption?: RecordedResumption;
  };
  'workflow.node.complete': NodeEventData & {
    readonly status: 'completed';
    readonly output: RecordedValue;
    /** What the node logged, where it did. */
    readonly logs?: readonly string[];
    readonly duration_ms: number;
    readonly cached: boolean;
    /** The execution in which it ran, where a retry took its result over. */
    readonly reused_from?: string;
    readonly progress: Progress;
  };
  'workflow.node.failed': NodeEventData & {
    readonly status: 'failed';
    readonly error: NodeError;
    readonly duration_ms: number;
    /** True where `on_error: continue` lets the execution go on. */
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
    /** The latest wake-up; null where it waits for as long as the execution may take. */
    readonly wake_at: string | null;
    readonly signal?: string;
    /** Sends a reminder at this interval until the signal comes. */
    readonly remind_every_seconds?: number;
    readonly child_execution_id?: string;
    /** Of an approval: what is to be decided, and where a person decides it. */
    readonly title?: string;
    readonly description?: string;
    /** Who may decide; absent where the link alone decides. */
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
 * One thing that happened in an execution. Its place is its sequence: the first event of a journal has
 * sequence 1 and there are no gaps, so a list of events needs no numbers of its own.
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

/** Version of each event type's `data`. Raise one, and teach `upcast` the way from the last. */
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

/** Events after which an execution never changes again. */
export const FINAL_EVENT_TYPES = ['workflow.completed', 'workflow.failed', 'workflow.cancelled'] as const;

export function isEventType(value: unknown): value is EventType {
  return typeof value === 'string' && Object.hasOwn(EVENT_VERSIONS, value);
}

export function isFinalEventType(type: string): boolean {
  return (FINAL_EVENT_TYPES as readonly string[]).includes(type);
}

/** An event as an older or the present version of the service stored it. */
export interface StoredEvent {
  readonly type: string;
  readonly version: number;
  readonly at: number;
  readonly nodeId: string | null;
  readonly attempt: number | null;
  readonly data: object;
}

/**
 * An event as it is read: one that this version of the service does not know stays as it is stored. It can be shown;
 * an execution that holds one cannot be gone on with here.
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

/** Brings a stored event up to the present version of its type, where that is known. */
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
