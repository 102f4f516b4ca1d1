import type { Json, JsonObject } from '../expressions/index.js';

/**
 * A workflow definition as clients send it and the service stores and versions it (snake_case). `compilePlan` turns it
 * into an executable plan.
 */
export interface WorkflowDefinition {
  readonly nodes: readonly NodeDefinition[];
  readonly config: WorkflowConfig;
  /** JSON Schema that an execution's input must satisfy. */
  readonly input_schema?: JsonObject;
  /** Template of the execution's output. Default: the output of the last nodes. */
  readonly output?: Json;
}

export interface WorkflowConfig {
  readonly cache_enabled: boolean;
  /** The time of one execution that `timeout_counts` counts, 1 to 3600 seconds. */
  readonly timeout_seconds: number;
  /** `elapsed`: from the start to the end. `active`: only while an attempt runs or could run. */
  readonly timeout_counts: 'elapsed' | 'active';
  /** With `active`: seconds from the start to the latest end, 1 to `LIMITS.deadlineSeconds`; null is no limit. */
  readonly deadline_seconds: number | null;
  /** Maximum number of nodes that run concurrently per execution. */
  readonly max_concurrency: number;
  /** Maximum number of concurrent executions of this workflow; null for no limit. */
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
  /** Matches `NODE_ID`. */
  readonly id: string;
  /** Name of a registered node type. */
  readonly type: string;
  readonly name?: string;
  /** Ids of nodes that must be settled first. Nodes that expressions reference are added. */
  readonly needs?: readonly string[];
  /** CEL condition without braces; false skips the node. */
  readonly if?: string;
  /** Parameters of the node type; may contain `{{ }}` expressions. */
  readonly with?: JsonObject;
  readonly retry?: RetryDefinition;
  /** Timeout of one attempt, in seconds. */
  readonly timeout_seconds?: number;
  readonly on_error?: OnError;
  readonly cache?: { readonly ttl_seconds: number };
}

/**
 * The `with` of a loop, a node whose type has `iterates`: its graph runs once per list element. `items` and
 * `max_concurrency` are rendered once for the node, `nodes` and `output` once per item.
 */
export interface LoopDefinition {
  /** Gives a list, of `LIMITS.items` at most. */
  readonly items: Json;
  /** Their ids must be unique in the whole workflow. */
  readonly nodes: readonly NodeDefinition[];
  /** Template of an item's result. Default: the output of the last nodes of the body. */
  readonly output?: Json;
  /** Maximum number of items in progress at once. */
  readonly max_concurrency?: Json;
  /** Whether the first failed item fails the loop, or the other items continue. */
  readonly on_error?: OnError;
}

export type OnError = 'fail' | 'continue';

export interface RetryDefinition {
  /** Maximum number of attempts, including the first: 1 to 10. */
  readonly max_attempts: number;
  readonly backoff?: 'fixed' | 'exponential';
  readonly initial_delay_ms?: number;
  readonly max_delay_ms?: number;
  readonly jitter?: boolean;
}

/** Format of a node id: short enough for a table, safe in a URL path and in CEL. */
export const NODE_ID = /^[a-z][a-z0-9_]{0,63}$/;

/** Default and maximum number of items of a loop in progress at once. */
export const DEFAULT_ITEMS_AT_ONCE = 10;

/** Maximums of a definition. */
export const LIMITS = {
  /** `config.deadline_seconds`: ten years. */
  deadlineSeconds: 315_360_000,
  /** Items of a loop. */
  items: 10_000,
  /** Items of a loop that run at once. */
  itemsAtOnce: 500,
  /** Nodes of a workflow, including those inside of loops. */
  nodes: 500,
} as const;
