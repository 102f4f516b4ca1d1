import type { EventDataByType } from './event-data.ts';

export type WorkflowEventType = keyof EventDataByType;

/** Events after which an execution never changes again. */
export type FinalEventType = 'workflow.completed' | 'workflow.failed' | 'workflow.cancelled';

/** What happened in an execution, as every transport of the service carries it. */
export interface WorkflowEvent {
  /** UUID; an event that is delivered twice carries the same one. */
  readonly id: string;
  readonly type: WorkflowEventType;
  /** Per execution, from 1, without gaps. */
  readonly sequence: number;
  /** Place in the stream; going on after it misses nothing. */
  readonly cursor: string;
  /** ISO 8601 in UTC, with milliseconds. */
  readonly created_at: string;
  readonly project_id: string;
  readonly workflow_id: string;
  readonly execution_id: string;
  readonly session_id: string | null;
  readonly node_id: string | null;
  /** The node's attempt, from 1; null for events of the whole execution. */
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

/** The same event, with the type of its `data` told by its `type`. */
export type TypedEvent = { readonly [T in WorkflowEventType]: WorkflowEventOf<T> }[WorkflowEventType];

const FINAL_TYPES: ReadonlySet<string> = new Set<FinalEventType>([
  'workflow.completed',
  'workflow.failed',
  'workflow.cancelled',
]);

/** Whether an event is the last one of its execution. */
export function isFinalEvent({ type }: Pick<WorkflowEvent, 'type'>): boolean {
  return FINAL_TYPES.has(type);
}

/** Which events a stream is for; what is left out does not limit it. */
export interface EventFilter {
  readonly execution_id?: string;
  readonly workflow_id?: string;
  readonly session_id?: string;
  readonly types?: readonly WorkflowEventType[];
}
