import type { ApproverRules, NodeError, Resumption } from '../execution-events/index.js';
import type { Fault, Json, JsonObject } from '../expressions/index.js';

/** Capabilities that a node type declares. Shared code reads these, never the name of the type. */
export interface NodeCapabilities {
  /** No side effects, and the same result for the same input: needs no commit before it runs. */
  readonly pure?: boolean;
  /** A cached result for the same input may be used instead of running it. */
  readonly cacheable?: boolean;
  /** Like `cacheable`, but only if the node sets `cache`: its author accepts older results. */
  readonly cacheableOnRequest?: boolean;
  /** It may return `suspend(...)`: the execution leaves memory and waits in the database. */
  readonly suspends?: boolean;
  /** It may return `startChild(...)`: the attempt resumes when the child execution has ended. */
  readonly startsChildren?: boolean;
  /** The engine runs it itself: its schema ensures that `with` is a `LoopDefinition`, and `run` is never called. */
  readonly iterates?: boolean;
}

/** Description of a node type, as the catalog at `GET /v1/node-types` shows it. */
export interface NodeTypeDescription {
  /** Name for the `type` field of a node, for example `http`. */
  readonly type: string;
  /** Increase it when the same input may give a different output. Part of the cache key of results. */
  readonly version: number;
  readonly title: string;
  readonly description: string;
  /**
   * JSON Schema of `with`. Strings of a property with `"x-literal": true` are not templates: `{{ }}` in them is plain
   * text. Use it for programs in another language, so that no value of an execution is interpolated into them.
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
   * Validates the `with` of a definition beyond its schema. It is called only if the schema accepts `with`. Strings
   * other than literals may still contain expressions. Runs at every compilation of a definition, so keep it fast.
   * @returns errors at paths inside `with`, for example `expression`
   */
  check?(parameters: JsonObject): readonly Fault[];
  /**
   * How long a node of a definition may wait, if its `with` says so without an expression; null if it does not. A save
   * warns of a wait that does not fit into the time of its workflow.
   */
  literalWait?(parameters: JsonObject): LiteralWait | null;
}

/** A wait that is known before any execution. */
export interface LiteralWait {
  /** The parameter that says it, for example `seconds`. */
  readonly path: string;
  readonly ms: number;
}

/** Input of an attempt. */
export interface NodeContext<With extends JsonObject = JsonObject> {
  /** `with`, with its expressions evaluated and checked against the schema. */
  readonly with: With;
  readonly executionId: string;
  readonly workflowId: string;
  readonly projectId: string;
  readonly nodeId: string;
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  /** Inside a loop the index of the item, from 0; otherwise null. */
  readonly iteration: number | null;
  /** Equal for every attempt of this node (and loop item) in this execution. Pass it to the systems you call. */
  readonly idempotencyKey: string;
  /** Aborted when the execution or the attempt is cancelled or times out. */
  readonly signal: AbortSignal;
  /** Timeout from the definition, in milliseconds. Null if it sets none; the type then uses its own default. */
  readonly timeoutMs: number | null;
  /** The event that ended the wait, if the attempt resumes after `suspend` or `startChild`; otherwise null. */
  readonly resumption: Resumption | null;
  /** W3C Trace Context of the attempt: send it along with what you call, so that the call belongs to the trace. */
  readonly traceContext: { readonly traceparent: string; readonly tracestate?: string };
  /** Reports progress from 0 to 1 with an optional message. It is recorded at most once a second. */
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
  /** Latest wake-up in epoch milliseconds; null waits until the execution times out. */
  readonly until: number | null;
  /** Name of the signal, if it waits for one. */
  readonly signal?: string;
  /** Sends a reminder at this interval in milliseconds until the signal comes. */
  readonly remindEveryMs?: number;
  /** Also asks a person: an approval link sends the decision as the signal. */
  readonly approval?: ApprovalRequest;
}

/** The decision that a person is asked for. */
export interface ApprovalRequest {
  readonly title: string;
  readonly description?: string;
  readonly approvers?: ApproverRules;
}

/** The child execution that a node requests. */
export interface ChildRequest {
  readonly workflowId: string;
  /** Null for the latest version. */
  readonly version: number | null;
  readonly input: Json;
}

/** Result of a completed attempt. */
export function output(value: Json, logs: readonly string[] = []): NodeResult {
  return { kind: 'output', output: value, ...(logs.length === 0 ? {} : { logs }) };
}

/** Suspends the attempt; `run` is called again with a `resumption`. */
export function suspend(wait: Wait): NodeResult {
  return { kind: 'suspend', wait };
}

/** Starts a child execution; `run` is called again with the child's end as `resumption`. */
export function startChild(child: ChildRequest): NodeResult {
  return { kind: 'start_child', child };
}

/** Thrown when an attempt fails. */
export class NodeFailure extends Error {
  override readonly name = 'NodeFailure';

  constructor(
    /** Stable code in snake_case, for example `http_status_error`. */
    readonly code: string,
    message: string,
    readonly options: {
      readonly details?: Json;
      /** False if a retry cannot help; the node's `retry` is then ignored. Default: true. */
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
    message: `The output has ${length} characters of JSON; ${MAX_OUTPUT} is the most.`,
  };
}

/** Maximum nesting depth of arrays and objects in the output of one node. */
export const MAX_OUTPUT_DEPTH = 200;

/** The error of a node whose output exceeds `MAX_OUTPUT_DEPTH`: deeper JSON can overflow the stack of its readers. */
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
    message: `The attempt took longer than its ${timeoutMs / 1_000} seconds.`,
  };
}
