import type { ApproverRules, NodeError, Resumption } from '../execution-events/index.js';
import type { Fault, Json, JsonObject } from '../expressions/index.js';

/**
 * Capabilities that a node type declares. The engine treats a node according to these capabilities, never according to
 * the name of its type.
 */
export interface NodeCapabilities {
  /**
   * The node has no side effects, and the same input always gives the same output. The engine may therefore run the
   * node before the start event of the node is committed.
   */
  readonly pure?: boolean;
  /**
   * A cached result for the same input may replace an attempt of the node. The default lifetime of a cached result is
   * 24 hours.
   */
  readonly cacheable?: boolean;
  /**
   * A cached result may replace a run of the node, but only if the node has `cache` in the workflow. The author of the
   * workflow thereby accepts older results.
   */
  readonly cacheableOnRequest?: boolean;
  /** The node may return `suspend(...)`. A suspended execution uses no memory and waits in the database. */
  readonly suspends?: boolean;
  /** The node may return `startChild(...)`. The attempt resumes when the child execution has ended. */
  readonly startsChildren?: boolean;
  /**
   * The node is a loop: the engine runs the node's body and never calls `run`. The schema must require that `with` is a
   * `LoopDefinition`.
   */
  readonly iterates?: boolean;
}

/** Description of a node type in the catalog `GET /v1/node-types`. */
export interface NodeTypeDescription {
  /** Name of the node type, which the `type` field of a node contains, such as `http`. */
  readonly type: string;
  /**
   * Version of the node type, from 1. Cached results belong to one version. Increase the version when the same input
   * may give a different output.
   */
  readonly version: number;
  readonly title: string;
  readonly description: string;
  /**
   * JSON Schema of a node's `with`. `"x-literal": true` on a property disables `{{ }}` expressions in its strings, for
   * example in source code.
   */
  readonly schema: JsonObject;
  /** JSON Schema of the output of a node. */
  readonly outputSchema: JsonObject;
  readonly capabilities: NodeCapabilities;
}

/** Implementation of a node type. The decorator `@NodeType` adds the description. */
export interface NodeType {
  /**
   * Runs one attempt of a node. To fail with your own error code, throw a `NodeFailure`. Other errors get the code
   * `node_error`. An attempt may run again after a crash, so pass `idempotencyKey` to external systems.
   */
  run(context: NodeContext): Promise<NodeResult> | NodeResult;
  /**
   * Checks a node's `with` beyond its JSON Schema, at every compilation of a workflow definition. Strings may still
   * contain expressions.
   * @returns errors at paths inside `with`, for example `expression`
   */
  check?(parameters: JsonObject): readonly Fault[];
  /**
   * Returns the maximum duration of a node's wait if `with` contains a literal duration; otherwise null. The service
   * warns about waits beyond the timeout of the workflow.
   */
  literalWait?(parameters: JsonObject): LiteralWait | null;
}

/** Maximum duration of a wait, as the definition of a node states it. */
export interface LiteralWait {
  /** Path of the parameter that contains the duration, such as `seconds`. */
  readonly path: string;
  readonly ms: number;
}

/** Input of one attempt of a node. */
export interface NodeContext<With extends JsonObject = JsonObject> {
  /** The validated parameters (`with`) of the node, with evaluated expressions. */
  readonly with: With;
  readonly executionId: string;
  readonly workflowId: string;
  readonly projectId: string;
  readonly nodeId: string;
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  /** Index of the loop item for which the node runs, from 0. Null outside of loops. */
  readonly iteration: number | null;
  /** Idempotency key, equal for every attempt of this node and loop item. Pass the key to the systems that you call. */
  readonly idempotencyKey: string;
  /** Abort signal that fires when the execution or the attempt is cancelled or times out. */
  readonly signal: AbortSignal;
  /**
   * `timeout_seconds` of the node, in milliseconds. Null if the definition sets none: the node type then uses its own
   * default.
   */
  readonly timeoutMs: number | null;
  /**
   * The event that ended the node's wait: a timer, a signal or the end of a child. Null if the node was not suspended.
   */
  readonly resumption: Resumption | null;
  /** W3C Trace Context of the attempt, to be sent with external calls. */
  readonly traceContext: { readonly traceparent: string; readonly tracestate?: string };
  /**
   * Reports the progress of the attempt, from 0 to 1, with an optional message. At most one report per second is
   * recorded.
   */
  progress(fraction: number, message?: string): void;
  /**
   * Resolves when this process has reserved memory for a large value. Call the function once, before reading the value.
   * Rejects when `signal` aborts.
   * @param bytes size or maximum size of the value
   */
  reserveMemory(bytes: number): Promise<void>;
}

export type NodeResult =
  | {
      readonly kind: 'output';
      readonly output: Json;
      /** Log lines of the attempt. At most 100 lines with 8,192 characters in total are recorded. */
      readonly logs?: readonly string[];
    }
  | { readonly kind: 'suspend'; readonly wait: Wait }
  | { readonly kind: 'start_child'; readonly child: ChildRequest };

/** Describes for what, and until when, a suspended node waits. */
export interface Wait {
  readonly for: 'timer' | 'signal';
  /**
   * Time at which the node wakes at the latest, in epoch milliseconds. Null if only the timeout of the execution limits
   * the wait.
   */
  readonly until: number | null;
  /** Name of the signal that ends the wait. Absent if the node waits for a timer. */
  readonly signal?: string;
  /** Milliseconds between reminders while the node waits for the signal. */
  readonly remindEveryMs?: number;
  /** Makes the wait an approval. A person decides with a link, which sends the decision as the signal. */
  readonly approval?: ApprovalRequest;
}

/** What an approval shows to the person who decides, and who may decide. */
export interface ApprovalRequest {
  readonly title: string;
  readonly description?: string;
  readonly approvers?: ApproverRules;
}

/** The child execution that a node starts. */
export interface ChildRequest {
  readonly workflowId: string;
  /** Version of the child's workflow. Null for the latest version. */
  readonly version: number | null;
  readonly input: Json;
}

export function output(value: Json, logs: readonly string[] = []): NodeResult {
  return { kind: 'output', output: value, ...(logs.length === 0 ? {} : { logs }) };
}

/** Result of `run` that suspends the attempt. When the wait ends, `run` is called again with a `resumption`. */
export function suspend(wait: Wait): NodeResult {
  return { kind: 'suspend', wait };
}

/**
 * Result of `run` that starts a child execution. When the child ends, `run` is called again with the child's result as
 * `resumption`.
 */
export function startChild(child: ChildRequest): NodeResult {
  return { kind: 'start_child', child };
}

/** Error that a node type throws to fail an attempt with its own error code. */
export class NodeFailure extends Error {
  override readonly name = 'NodeFailure';

  constructor(
    /** Stable error code in snake_case, such as `http_status_error`. */
    readonly code: string,
    message: string,
    readonly options: {
      readonly details?: Json;
      /** False if a retry cannot succeed. The service then ignores the `retry` of the node. Default: true. */
      readonly retryable?: boolean;
    } = {},
  ) {
    super(message);
  }
}

/** Maximum size of the output of one node, in characters of JSON. */
export const MAX_OUTPUT = 4 * 1024 * 1024;

export function outputTooLarge(length: number): NodeError {
  return {
    code: 'output_too_large',
    message: `The output has ${length} characters of JSON. The maximum is ${MAX_OUTPUT}.`,
  };
}

/** Maximum nesting depth of arrays and objects in the output of one node. */
export const MAX_OUTPUT_DEPTH = 200;

/**
 * Returns the error for an output that is nested deeper than `MAX_OUTPUT_DEPTH`. Deeper JSON can overflow the stack of
 * code that reads the output.
 */
export function outputTooDeep(): NodeError {
  return {
    code: 'output_too_deep',
    message: `The output is nested deeper than ${MAX_OUTPUT_DEPTH} levels.`,
  };
}

export function nodeTimeout(timeoutMs: number): NodeError {
  return {
    code: 'node_timeout',
    message: `The attempt took longer than its timeout of ${timeoutMs / 1_000} seconds.`,
  };
}
