import type { Json, JsonObject } from '../expressions/index.js';

/**
 * The document that says what a workflow does, as it is sent, stored and versioned (snake_case).
 * `compilePlan` turns it into something that can run.
 */
export interface WorkflowDefinition {
  readonly nodes: readonly NodeDefinition[];
  readonly config: WorkflowConfig;
  /** JSON Schema that an execution's input must satisfy. */
  readonly input_schema?: JsonObject;
  /** Template of the execution's output; without it the output is that of the last nodes. */
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
  /** Nodes that may run at once inside one execution. */
  readonly max_concurrency: number;
  /** Executions of this workflow that may run at once; null means no cap. */
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
  /** A registered node type. */
  readonly type: string;
  readonly name?: string;
  /** Ids of nodes that must be settled first; those found in expressions are added. */
  readonly needs?: readonly string[];
  /** CEL condition without braces; false skips the node. */
  readonly if?: string;
  /** The node type's parameters, with `{{ }}` expressions. */
  readonly with?: JsonObject;
  readonly retry?: RetryDefinition;
  /** Time for one attempt, in seconds. */
  readonly timeout_seconds?: number;
  readonly on_error?: OnError;
  readonly cache?: { readonly ttl_seconds: number };
}

/**
 * The `with` of a node whose type declares that it iterates: a graph that runs once for each element of a list.
 * `items` and `max_concurrency` are templates of the node, `nodes` and `output` of its body.
 */
export interface LoopDefinition {
  /** Gives a list, of `LIMITS.items` at most. */
  readonly items: Json;
  /** Their ids are those of no other node of the workflow. */
  readonly nodes: readonly NodeDefinition[];
  /** Template of what an item gives; without it that is the output of the last nodes. */
  readonly output?: Json;
  /** Items under way at once. */
  readonly max_concurrency?: Json;
  /** What becomes of the others where an item fails. */
  readonly on_error?: OnError;
}

export type OnError = 'fail' | 'continue';

export interface RetryDefinition {
  /** Attempts in all, the first included: 1 to 10. */
  readonly max_attempts: number;
  readonly backoff?: 'fixed' | 'exponential';
  readonly initial_delay_ms?: number;
  readonly max_delay_ms?: number;
  readonly jitter?: boolean;
}

/** What a node id looks like; short enough for a table, safe in a path and in CEL. */
export const NODE_ID = /^[a-z][a-z0-9_]{0,63}$/;

/** Items of a loop that are under way at once, where it does not say; and the most that it may say. */
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
