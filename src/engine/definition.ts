import type { Json, JsonObject } from '../expressions/index.js';

/**
 * A workflow definition as clients send it and as the service stores it (snake_case). `compilePlan` turns it into an
 * executable plan.
 */
export interface WorkflowDefinition {
  readonly nodes: readonly NodeDefinition[];
  readonly config: WorkflowConfig;
  /** JSON Schema that validates the input of each execution. */
  readonly input_schema?: JsonObject;
  /**
   * Template that renders the execution's output. Without a template, the output is that of the nodes that no other
   * node needs.
   */
  readonly output?: Json;
}

export interface WorkflowConfig {
  readonly cache_enabled: boolean;
  /** Timeout of an execution, 1 to 3600 seconds. `timeout_counts` says which time counts. */
  readonly timeout_seconds: number;
  /**
   * `elapsed` counts all time from the start to the end of an execution. `active` counts only time in which an attempt
   * runs or could run.
   */
  readonly timeout_counts: 'elapsed' | 'active';
  /**
   * Maximum number of seconds from the start to the end of an execution, 1 to `LIMITS.deadlineSeconds`; null for no
   * limit. Allowed only if `timeout_counts` is `active`.
   */
  readonly deadline_seconds: number | null;
  /** Maximum number of nodes of an execution that run at the same time. */
  readonly max_concurrency: number;
  /** Maximum number of executions of this workflow that run at the same time; null for no limit. */
  readonly max_running: number | null;
}

export const DEFAULT_CONFIG: WorkflowConfig = {
  cache_enabled: false,
  timeout_seconds: 300,
  timeout_counts: 'elapsed',
  deadline_seconds: null,
  max_concurrency: 16,
  max_running: null,
};

export interface NodeDefinition {
  /** Id of the node, which matches the pattern `NODE_ID`. */
  readonly id: string;
  /** Name of an installed node type. */
  readonly type: string;
  readonly name?: string;
  /**
   * Ids of nodes that must end before this node starts. The compiler adds the nodes that this node's expressions
   * reference.
   */
  readonly needs?: readonly string[];
  /** CEL condition, without the braces `{{ }}`. A node whose condition is false is skipped. */
  readonly if?: string;
  /** Parameters of the node, as its type defines them. Strings may contain `{{ }}` expressions. */
  readonly with?: JsonObject;
  readonly retry?: RetryDefinition;
  /** Maximum duration of one attempt of the node, in seconds. */
  readonly timeout_seconds?: number;
  readonly on_error?: OnError;
  readonly cache?: { readonly ttl_seconds: number };
}

/**
 * The parameters (`with`) of a loop. A loop is a node whose type has the capability `iterates`; the nodes inside the
 * loop run once for each element of a list. `items` and `max_concurrency` are rendered once for the whole loop. `nodes`
 * and `output` are rendered once for each item.
 */
export interface LoopDefinition {
  /** Expression whose value is the list, with at most `LIMITS.items` elements. */
  readonly items: Json;
  /** Nodes that run for each element of the list. Node ids must be unique in the whole workflow. */
  readonly nodes: readonly NodeDefinition[];
  /**
   * Template that renders the result of one item. Without a template, the result is the output of the nodes in the loop
   * that no other node needs.
   */
  readonly output?: Json;
  /** Maximum number of items that the loop runs at the same time, 1 to 500. Default: 10. */
  readonly max_concurrency?: Json;
  /** `fail` ends the loop when an item fails. `continue` lets the loop run its other items. Default: `fail`. */
  readonly on_error?: OnError;
}

export type OnError = 'fail' | 'continue';

export interface RetryDefinition {
  /** Maximum number of attempts of the node, including the first attempt: 1 to 10. */
  readonly max_attempts: number;
  readonly backoff?: 'fixed' | 'exponential';
  readonly initial_delay_ms?: number;
  readonly max_delay_ms?: number;
  readonly jitter?: boolean;
}

/** Format of a node id. A valid id fits into a table column, and needs no escaping in a URL path or in CEL. */
export const NODE_ID = /^[a-z][a-z0-9_]{0,63}$/;

/** Number of items that a loop runs at the same time if `max_concurrency` is absent. */
export const DEFAULT_ITEMS_AT_ONCE = 10;

export const LIMITS = {
  /** Maximum of `config.deadline_seconds`: ten years. */
  deadlineSeconds: 315_360_000,
  /** Maximum number of items of a loop. */
  items: 10_000,
  /** Maximum number of items of a loop that run at the same time. */
  itemsAtOnce: 500,
  /** Maximum number of nodes of a workflow, including the nodes inside loops. */
  nodes: 500,
} as const;
