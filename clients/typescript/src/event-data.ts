/** A field of an event. A value over 16 KiB is omitted, and `<field>_url` is the URL of the value. */
type LongField<Field extends string> = { readonly [F in Field]?: unknown } & {
  readonly [F in `${Field}_truncated`]?: true;
} & { readonly [F in `${Field}_url`]?: string } & { readonly [F in `${Field}_bytes`]?: number };

/** Number of settled nodes, including skipped ones, and number of all nodes. */
export interface EventProgress {
  readonly completed: number;
  readonly total: number;
}

export interface EventNodeError {
  readonly code: string;
  readonly message: string;
  readonly details?: unknown;
}

export interface EventExecutionError {
  readonly type: string;
  readonly message: string;
  readonly node_id: string | null;
  readonly details?: unknown;
}

type NodeData = {
  readonly node_id: string;
  readonly node_type: string;
  /** Index of the item, from 0. Only present for a node inside a loop. */
  readonly iteration?: number;
  /** Id of the loop. Only present for a node inside a loop. */
  readonly iteration_of?: string;
};

/** The `data` of each event type. A later version of the service may add fields. */
export interface EventDataByType {
  'workflow.queued': LongField<'input'> & {
    readonly status: 'queued';
    readonly workflow_version: number;
    readonly trigger: { readonly type: string; readonly id: string | null; readonly user_id?: string };
    readonly attempt: number;
    readonly metadata: Readonly<Record<string, unknown>>;
    readonly scheduled_for?: string;
    readonly retry_of?: string;
  };
  'workflow.started': {
    readonly status: 'running';
    readonly workflow_version: number;
    readonly timeout_at: string | null;
    readonly progress: EventProgress;
  };
  'workflow.waiting': {
    readonly status: 'waiting';
    /** Time of the earliest known wake-up; null if only a signal wakes the execution. */
    readonly wake_at: string | null;
    readonly node_ids: readonly string[];
  };
  'workflow.paused': { readonly status: 'paused'; readonly reason: string | null };
  'workflow.resumed': { readonly status: 'running' | 'queued'; readonly reason: string };
  'workflow.recovered': {
    readonly status: 'running';
    readonly cause: 'crash' | 'hand_over';
    readonly recoveries: number;
    readonly node_ids: readonly string[];
  };
  'workflow.completed': LongField<'output'> & {
    readonly status: 'completed';
    readonly duration_ms: number;
    readonly progress: EventProgress;
  };
  'workflow.failed': {
    readonly status: 'failed' | 'timed_out';
    readonly error: EventExecutionError;
    readonly duration_ms: number;
    readonly progress: EventProgress;
  };
  'workflow.cancelled': {
    readonly status: 'cancelled';
    readonly reason: string | null;
    readonly duration_ms: number;
    readonly progress: EventProgress;
  };
  'workflow.node.started': NodeData &
    LongField<'input' | 'resumption'> & { readonly status: 'running'; readonly iterations?: number };
  'workflow.node.complete': NodeData &
    LongField<'output'> & {
      readonly status: 'completed';
      readonly logs?: readonly string[];
      readonly duration_ms: number;
      readonly cached: boolean;
      readonly reused_from?: string;
      readonly progress: EventProgress;
    };
  'workflow.node.failed': NodeData & {
    readonly status: 'failed';
    readonly error: EventNodeError;
    readonly duration_ms: number;
    /** True if the execution continues because of `on_error: continue`. */
    readonly continued: boolean;
    readonly progress: EventProgress;
  };
  'workflow.node.retrying': NodeData & {
    readonly status: 'retrying';
    readonly error: EventNodeError;
    readonly duration_ms: number;
    readonly retry_at: string;
    readonly delay_ms: number;
    readonly max_attempts: number;
  };
  'workflow.node.skipped': NodeData & {
    readonly status: 'skipped';
    readonly reason: 'condition_false' | 'needs_skipped';
    readonly progress: EventProgress;
  };
  'workflow.node.waiting': NodeData & {
    readonly status: 'waiting';
    readonly waiting_for: 'timer' | 'signal' | 'child';
    /** Time of the latest possible wake-up; null if the node waits until the execution times out. */
    readonly wake_at: string | null;
    readonly signal?: string;
    readonly child_execution_id?: string;
    /** Title of the approval, if the node waits for one. */
    readonly title?: string;
    readonly description?: string;
    readonly approve_url?: string;
    readonly reject_url?: string;
  };
  'workflow.node.progress': NodeData & {
    readonly status: string;
    /** Progress from 0 to 1. */
    readonly fraction: number;
    readonly message: string | null;
  };
}
