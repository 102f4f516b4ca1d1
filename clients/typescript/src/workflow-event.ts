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

export type WorkflowEventType =
  | 'workflow.queued'
  | 'workflow.started'
  | 'workflow.waiting'
  | 'workflow.paused'
  | 'workflow.resumed'
  | 'workflow.recovered'
  | 'workflow.completed'
  | 'workflow.failed'
  | 'workflow.cancelled'
  | 'workflow.node.started'
  | 'workflow.node.complete'
  | 'workflow.node.failed'
  | 'workflow.node.retrying'
  | 'workflow.node.skipped'
  | 'workflow.node.waiting'
  | 'workflow.node.progress';

/** Which events a stream is for; what is left out does not limit it. */
export interface EventFilter {
  readonly execution_id?: string;
  readonly workflow_id?: string;
  readonly session_id?: string;
  readonly types?: readonly WorkflowEventType[];
}
