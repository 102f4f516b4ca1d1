import type { ApproverRules, NodeError, Resumption } from '../execution-events/index.js';
import type { Fault, Json, JsonObject } from '../expressions/index.js';

/** Capabilities that a node type declares. The engine uses only these capabilities, never the name of the type. */
export interface NodeCapabilities {
  /**
   * The node has no side effects and returns the same result for the same input. It runs without waiting for a
   * commit.
   */
  readonly pure?: boolean;
  /** The service may use a cached result for the same input instead of running the node. */
  readonly cacheable?: boolean;
  /**
   * Like `cacheable`, but only for nodes that set `cache`. By setting it, the author of a workflow accepts older
   * results.
   */
  readonly cacheableOnRequest?: boolean;
  /** The node may return `suspend(...)`: the execution leaves memory and waits in the database. */
  readonly suspends?: boolean;
  /** The node may return `startChild(...)`: the attempt resumes when the child execution has ended. */
  readonly startsChildren?: boolean;
  /**
   * The engine runs the node itself. The schema must ensure that `with` is a `LoopDefinition`; `run` is never called.
   */
  readonly iterates?: boolean;
}

/** Description of a node type, as the catalog at `GET /v1/node-types` shows it. */
export interface NodeTypeDescription {
  /** Name for the `type` field of a node, for example `http`. */
  readonly type: string;
  /** Part of the cache key of results. Increase it when the same input may give a different output. */
  readonly version: number;
  readonly title: string;
  readonly description: string;
  /**
   * JSON Schema of `with`. Set `"x-literal": true` on a property to make its strings literal: `{{ }}` in them is plain
   * text. Use this for programs in another language, so that no value of an execution is interpolated into them.
   */
  readonly schema: JsonObject;
  /** JSON Schema of the output. */
  readonly outputSchema: JsonObject;
  readonly capabilities: NodeCapabilities;
}

/** A node type: a description and the code that runs one attempt. */
export interface NodeType {
  /**
   * Runs one attempt. Throw a `NodeFailure` to fail with your own code; other errors are reported as `node_error`. An
   * attempt may run again after a crash: pass `idempotencyKey` to external systems.
   */
  run(context: NodeContext): Promise<NodeResult> | NodeResult;
  /**
   * Validates the `with` of a definition beyond its schema. Called only if the schema accepts `with`. Strings that are
   * not literal may still contain expressions. Runs at every compilation of a definition, so keep it fast.
   * @returns errors at paths inside `with`, for example `expression`
   */
  check?(parameters: JsonObject): readonly Fault[];
  /**
   * Maximum duration of a node's wait, if its `with` contains the duration as a literal; otherwise null. When a
   * workflow is saved, the service warns about waits that do not fit into the timeout of the workflow.
   */
  literalWait?(parameters: JsonObject): LiteralWait | null;
}

/** A maximum wait that the definition of a node determines. */
export interface LiteralWait {
  /** The parameter that contains the duration, for example `seconds`. */
  readonly path: string;
  readonly ms: number;
}

/** Input of an attempt. */
export interface NodeContext<With extends JsonObject = JsonObject> {
  /** The `with` of the node, with expressions evaluated, checked against the schema. */
  readonly with: With;
  readonly executionId: string;
  readonly workflowId: string;
  readonly projectId: string;
  readonly nodeId: string;
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  /** Index of the item, from 0, inside a loop; otherwise null. */
  readonly iteration: number | null;
  /**
   * The same key for every attempt of this node (and loop item) in this execution. Pass it to the systems that you
   * call.
   */
  readonly idempotencyKey: string;
  /** Aborted when the execution or the attempt is cancelled or times out. */
  readonly signal: AbortSignal;
  /**
   * Timeout from the definition, in milliseconds. Null if the definition sets none; the node type then applies its
   * default.
   */
  readonly timeoutMs: number | null;
  /** The event that ended the wait, if the attempt resumes after `suspend` or `startChild`; otherwise null. */
  readonly resumption: Resumption | null;
  /** W3C Trace Context of the attempt. Send it with external calls, so that these calls belong to the trace. */
  readonly traceContext: { readonly traceparent: string; readonly tracestate?: string };
  /** Reports progress from 0 to 1 with an optional message. At most one report a second is recorded. */
  progress(fraction: number, message?: string): void;
  /**
   * Waits until this process has memory for a large value. Call it once, before reading the value, with its size or
   * maximum size in bytes. The reservation ends with the attempt. Rejects when `signal` aborts.
   */
  reserveMemory(bytes: number): Promise<void>;
}

/** Result of an attempt. */
export type NodeResult =
  | {
      readonly kind: 'output';
      readonly output: Json;
      /** Log lines shown with the execution. At most 100 lines and 8 KiB in total are recorded. */
      readonly logs?: readonly string[];
    }
  | { readonly kind: 'suspend'; readonly wait: Wait }
  | { readonly kind: 'start_child'; readonly child: ChildRequest };

/** The wait of a suspended node. */
export interface Wait {
  readonly for: 'timer' | 'signal';
  /** Latest wake-up in epoch milliseconds; null to wait until the execution times out. */
  readonly until: number | null;
  /** Name of the signal that ends the wait; absent for a timer. */
  readonly signal?: string;
  /** Interval in milliseconds at which reminders are sent until the signal arrives. */
  readonly remindEveryMs?: number;
  /**
   * Also requests a decision from a person. The person follows an approval link, which sends the decision as the
   * signal.
   */
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
  /** Version of the workflow; null for the latest. */
  readonly version: number | null;
  readonly input: Json;
}

/** Returns the result of a completed attempt. */
export function output(value: Json, logs: readonly string[] = []): NodeResult {
  return { kind: 'output', output: value, ...(logs.length === 0 ? {} : { logs }) };
}

/** Returns a result that suspends the attempt. When the wait ends, `run` is called again with a `resumption`. */
export function suspend(wait: Wait): NodeResult {
  return { kind: 'suspend', wait };
}

/**
 * Returns a result that starts a child execution. When the child has ended, `run` is called again; its `resumption`
 * contains the result of the child.
 */
export function startChild(child: ChildRequest): NodeResult {
  return { kind: 'start_child', child };
}

/** Throw this error to fail an attempt with a code of your own. */
export class NodeFailure extends Error {
  override readonly name = 'NodeFailure';

  constructor(
    /** Stable code in snake_case, for example `http_status_error`. */
    readonly code: string,
    message: string,
    readonly options: {
      readonly details?: Json;
      /** False if a retry cannot succeed: the node's `retry` is then ignored. Default: true. */
      readonly retryable?: boolean;
    } = {},
  ) {
    super(message);
  }
}

/** Maximum output of one node, in characters of JSON. */
export const MAX_OUTPUT = 4 * 1024 * 1024;

/** The error of a node whose output exceeds `MAX_OUTPUT`. */
export function outputTooLarge(length: number): NodeError {
  return {
    code: 'output_too_large',
    message: `The output has ${length} characters of JSON. The maximum is ${MAX_OUTPUT}.`,
  };
}

/** Maximum nesting depth of arrays and objects in the output of one node. */
export const MAX_OUTPUT_DEPTH = 200;

/**
 * The error of a node whose output exceeds `MAX_OUTPUT_DEPTH`. Deeper JSON can overflow the stack of code that reads
 * it.
 */
export function outputTooDeep(): NodeError {
  return {
    code: 'output_too_deep',
    message: `The output is nested deeper than ${MAX_OUTPUT_DEPTH} levels.`,
  };
}

/** The error of an attempt that exceeds the timeout of its node. */
export function nodeTimeout(timeoutMs: number): NodeError {
  return {
    code: 'node_timeout',
    message: `The attempt took longer than its timeout of ${timeoutMs / 1_000} seconds.`,
  };
}
