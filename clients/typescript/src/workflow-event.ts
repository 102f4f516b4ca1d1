import type { EventDataByType } from './event-data.ts';

export type WorkflowEventType = keyof EventDataByType;

/** Events after which an execution never changes again. */
export type FinalEventType = 'workflow.completed' | 'workflow.failed' | 'workflow.cancelled';

/** An event of an execution, in the form that all transports share. */
export interface WorkflowEvent {
  /** A UUID. A duplicate of an event has the same id. */
  readonly id: string;
  readonly type: WorkflowEventType;
  /** Number of the event within its execution, from 1 without gaps. */
  readonly sequence: number;
  /** Position of the event in the stream. A stream that resumes after this cursor misses no event. */
  readonly cursor: string;
  /** Time of the event in ISO 8601, in UTC with milliseconds. */
  readonly created_at: string;
  readonly project_id: string;
  readonly workflow_id: string;
  readonly execution_id: string;
  readonly session_id: string | null;
  readonly node_id: string | null;
  /** Number of the node's attempt, from 1. Null for events of the whole execution. */
  readonly attempt: number | null;
  readonly data: Readonly<Record<string, unknown>>;
}

/** An event of one type. */
export interface WorkflowEventOf<T extends WorkflowEventType> extends WorkflowEvent {
  readonly type: T;
  readonly node_id: T extends `workflow.node.${string}` ? string : null;
  readonly attempt: T extends `workflow.node.${string}` ? number : null;
  readonly data: EventDataByType[T];
}

/** An event of any type. The value of `type` determines the type of `data`. */
export type TypedEvent = { readonly [T in WorkflowEventType]: WorkflowEventOf<T> }[WorkflowEventType];

const FINAL_TYPES: ReadonlySet<string> = new Set<FinalEventType>([
  'workflow.completed',
  'workflow.failed',
  'workflow.cancelled',
]);

/** Returns whether an event is the final event of its execution. */
export function isFinalEvent({ type }: Pick<WorkflowEvent, 'type'>): boolean {
  return FINAL_TYPES.has(type);
}

/** Selects the events of a stream. An omitted field selects all events. */
export interface EventFilter {
  readonly execution_id?: string;
  readonly workflow_id?: string;
  readonly session_id?: string;
  readonly types?: readonly WorkflowEventType[];
}
