import type { ApproverRules, NodeError, Resumption } from '../execution-events/index.js';
import type { Fault, Json, JsonObject } from '../expressions/index.js';

/** Declared capabilities of a node type. The engine never depends on the name of a type. */
export interface NodeCapabilities {
  /**
   * The node has no side effects and always the same result for the same input. The node does not wait for a commit.
   */
  readonly pure?: boolean;
  /** A cached result for the same input may replace a run of the node. */
  readonly cacheable?: boolean;
  /** Like `cacheable`, but only for nodes with `cache` in the workflow. The author then accepts older results. */
  readonly cacheableOnRequest?: boolean;
  /** The node may return `suspend(...)`. The execution then leaves memory and waits in the database. */
  readonly suspends?: boolean;
  /** The node may return `startChild(...)`. The attempt resumes at the end of the child execution. */
  readonly startsChildren?: boolean;
  /** The engine runs the node and never calls `run`. The schema must require that `with` is a `LoopDefinition`. */
  readonly iterates?: boolean;
}

/** Description of a node type in the catalog `GET /v1/node-types`. */
export interface NodeTypeDescription {
  /** Name for the `type` field of a node, such as `http`. */
  readonly type: string;
  /** Part of the cache key of results. Increase the version when the same input may give a different output. */
  readonly version: number;
  readonly title: string;
  readonly description: string;
  /**
   * JSON Schema of `with`. `"x-literal": true` on a property disables `{{ }}` expressions in its strings, for example
   * in source code.
   */
  readonly schema: JsonObject;
  /** JSON Schema of the output. */
  readonly outputSchema: JsonObject;
  readonly capabilities: NodeCapabilities;
}

/** A node type: a description and the code that runs one attempt. */
export interface NodeType {
  /**
   * Runs one attempt. Throw a `NodeFailure` to fail with your own code. Other errors get the code `node_error`.
   *
   * An attempt may run again after a crash, so pass `idempotencyKey` to external systems.
   */
  run(context: NodeContext): Promise<NodeResult> | NodeResult;
  /**
   * Validates a `with` that its schema accepts, at every compilation of a definition. Strings may still contain
   * expressions.
   *
   * @returns errors at paths inside `with`, for example `expression`
   */
  check?(parameters: JsonObject): readonly Fault[];
  /**
   * Maximum duration of a node's wait, if `with` contains a literal duration. The service warns about waits beyond
   * the timeout of the workflow.
   */
  literalWait?(parameters: JsonObject): LiteralWait | null;
}

/** A maximum wait that the definition of a node determines. */
export interface LiteralWait {
  /** The parameter with the duration, such as `seconds`. */
  readonly path: string;
  readonly ms: number;
}

/** Input of an attempt. */
export interface NodeContext<With extends JsonObject = JsonObject> {
  /** The validated `with` of the node, with evaluated expressions. */
  readonly with: With;
  readonly executionId: string;
  readonly workflowId: string;
  readonly projectId: string;
  readonly nodeId: string;
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  /** Index of the loop item, from 0. Null outside of loops. */
  readonly iteration: number | null;
  /** The same key for every attempt of this node and loop item. Pass the key to the systems that you call. */
  readonly idempotencyKey: string;
  /** Aborted when the execution or the attempt is cancelled or times out. */
  readonly signal: AbortSignal;
  /** Timeout from the definition, in milliseconds. Null for the default of the node type. */
  readonly timeoutMs: number | null;
  /** The event that ended the wait. Null for an attempt that does not resume. */
  readonly resumption: Resumption | null;
  /** W3C Trace Context of the attempt. Send the context with external calls. */
  readonly traceContext: { readonly traceparent: string; readonly tracestate?: string };
  /** Reports progress from 0 to 1 with an optional message. Only one report per second is recorded. */
  progress(fraction: number, message?: string): void;
  /**
   * Waits until this process has memory for a large value. Call the function once, before reading the value. Rejects
   * when `signal` aborts.
   *
   * @param bytes size or maximum size of the value
   */
  reserveMemory(bytes: number): Promise<void>;
}

/** Result of an attempt. */
export type NodeResult =
  | {
      readonly kind: 'output';
      readonly output: Json;
      /** Log lines of the execution. At most 100 lines and 8 KiB in total are recorded. */
      readonly logs?: readonly string[];
    }
  | { readonly kind: 'suspend'; readonly wait: Wait }
  | { readonly kind: 'start_child'; readonly child: ChildRequest };

/** The wait of a suspended node. */
export interface Wait {
  readonly for: 'timer' | 'signal';
  /**
   * Time at which the node wakes at the latest, in epoch milliseconds. Null if only the timeout of the
   * execution limits the wait.
   */
  readonly until: number | null;
  /** Name of the signal that ends the wait. Absent for a timer. */
  readonly signal?: string;
  /** Milliseconds between reminders until the signal arrives. */
  readonly remindEveryMs?: number;
  /** Requests a decision from a person. The approval link sends the decision as the signal. */
  readonly approval?: ApprovalRequest;
}

/** A request for a person's decision. */
export interface ApprovalRequest {
  readonly title: string;
  readonly description?: string;
  readonly approvers?: ApproverRules;
}

/** The child execution that a node requests. */
export interface ChildRequest {
  readonly workflowId: string;
  /** Version of the workflow. Null for the latest. */
  readonly version: number | null;
  readonly input: Json;
}

export function output(value: Json, logs: readonly string[] = []): NodeResult {
  return { kind: 'output', output: value, ...(logs.length === 0 ? {} : { logs }) };
}

/** Suspends the attempt. `run` is called again with a `resumption` at the end of the wait. */
export function suspend(wait: Wait): NodeResult {
  return { kind: 'suspend', wait };
}

/** Starts a child execution. `run` is called again with the child's result as `resumption`. */
export function startChild(child: ChildRequest): NodeResult {
  return { kind: 'start_child', child };
}

/** Throw this error to fail an attempt with your own code. */
export class NodeFailure extends Error {
  override readonly name = 'NodeFailure';

  constructor(
    /** Stable code in snake_case, such as `http_status_error`. */
    readonly code: string,
    message: string,
    readonly options: {
      readonly details?: Json;
      /** False if a retry cannot succeed. The node's `retry` is then ignored. Default: true. */
      readonly retryable?: boolean;
    } = {},
  ) {
    super(message);
  }
}

/** Maximum size of one node's output, in characters of JSON. */
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
 * The error for an output beyond `MAX_OUTPUT_DEPTH`. Deeper JSON can overflow the stack of code that reads the
 * output.
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
