import type { ApproverRules, NodeError, Resumption } from '../execution-events/index.js';
import type { Fault, Json, JsonObject } from '../expressions/index.js';

/** What a node type promises; shared code reads these and never the type's name. */
export interface NodeCapabilities {
  /** No effect outside its result and the same result for the same input: needs no commit before it runs. */
  readonly pure?: boolean;
  /** An equal earlier result may be used instead of running it. */
  readonly cacheable?: boolean;
  /** The same, yet only where the node itself says `cache`: its author knows that an older answer will do. */
  readonly cacheableOnRequest?: boolean;
  /** It may return `suspend(...)`: the execution sleeps in the database and not in memory. */
  readonly suspends?: boolean;
  /** It may return `startChild(...)`: the attempt goes on when that execution has ended. */
  readonly startsChildren?: boolean;
  /**
   * The engine itself runs it: its `with` is a `LoopDefinition`, as its schema makes sure, and `run` is never called.
   */
  readonly iterates?: boolean;
}

/** What a node type says of itself; the catalogue at `GET /v1/node-types` shows it. */
export interface NodeTypeDescription {
  /** Name used in a definition's `type`, for example `http`. */
  readonly type: string;
  /** Raised when the same input may give another output; part of a cached result's identity. */
  readonly version: number;
  readonly title: string;
  readonly description: string;
  /**
   * JSON Schema of `with`. A property that says `"x-literal": true` is taken as it is written: `{{ }}` in it is
   * not an expression. It suits a program in another language, which no value of a run is to become part of.
   */
  readonly schema: JsonObject;
  /** JSON Schema of the output. */
  readonly outputSchema: JsonObject;
  readonly capabilities: NodeCapabilities;
}

/** A node type: a description and the code that runs one attempt. */
export interface NodeType {
  /**
   * Runs one attempt. Throw a `NodeFailure` to fail with a code of your own; anything else thrown is
   * reported as `node_error`. An attempt may be run again after a crash: use `idempotencyKey` towards
   * the outside.
   */
  run(context: NodeContext): Promise<NodeResult> | NodeResult;
  /**
   * What is wrong with the `with` of a definition beyond its schema, which it keeps to; other strings than
   * literal ones may still be expressions. Called whenever a definition is compiled: it is to be quick.
   * @returns faults at paths inside `with`, for example `expression`
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

/** What an attempt is given. */
export interface NodeContext<With extends JsonObject = JsonObject> {
  /** `with`, expressions filled in and checked against the schema. */
  readonly with: With;
  readonly executionId: string;
  readonly workflowId: string;
  readonly projectId: string;
  readonly nodeId: string;
  /** From 1. */
  readonly attempt: number;
  /** Inside a loop the place of its item, from 0; null elsewhere. */
  readonly iteration: number | null;
  /** The same for every attempt of this node, and item, in this execution: hand it to what you call. */
  readonly idempotencyKey: string;
  /** Aborted when the execution is cancelled or out of time, or the attempt is. */
  readonly signal: AbortSignal;
  /** Milliseconds that the definition gives the attempt; null where it names none, and a type sets its own. */
  readonly timeoutMs: number | null;
  /** Set when the attempt goes on after `suspend`; says what woke it. */
  readonly resumption: Resumption | null;
  /** W3C Trace Context of the attempt: send it along with what you call, so that the call belongs to the trace. */
  readonly traceContext: { readonly traceparent: string; readonly tracestate?: string };
  /** Reports progress, 0 to 1, with an optional sentence; recorded at most once a second. */
  progress(fraction: number, message?: string): void;
  /**
   * Waits until this process has memory for a large value, before it is read: to be called once with its bytes, or the
   * most that they may be. The reservation ends with the attempt. Rejects when `signal` aborts.
   */
  reserveMemory(bytes: number): Promise<void>;
}

/** What an attempt came to. */
export type NodeResult =
  | {
      readonly kind: 'output';
      readonly output: Json;
      /** Lines for whoever reads the run; a hundred are recorded, 8 KiB in all. */
      readonly logs?: readonly string[];
    }
  | { readonly kind: 'suspend'; readonly wait: Wait }
  | { readonly kind: 'start_child'; readonly child: ChildRequest };

/** What a suspended node waits for. */
export interface Wait {
  readonly for: 'timer' | 'signal';
  /** Epoch milliseconds of the latest wake-up; null waits for ever (until the execution times out). */
  readonly until: number | null;
  /** Name of the signal, where it waits for one. */
  readonly signal?: string;
  /** Sends a reminder at this interval in milliseconds until the signal comes. */
  readonly remindEveryMs?: number;
  /** Asks a person as well: a link decides, and comes as the signal. */
  readonly approval?: ApprovalRequest;
}

/** What a person is to decide. */
export interface ApprovalRequest {
  readonly title: string;
  readonly description?: string;
  readonly approvers?: ApproverRules;
}

/** The execution that a node asks to be started. */
export interface ChildRequest {
  readonly workflowId: string;
  /** Null is the newest. */
  readonly version: number | null;
  readonly input: Json;
}

/** The attempt is done and this is what it gives. */
export function output(value: Json, logs: readonly string[] = []): NodeResult {
  return { kind: 'output', output: value, ...(logs.length === 0 ? {} : { logs }) };
}

/** The attempt goes on later; `run` is called again with a `resumption`. */
export function suspend(wait: Wait): NodeResult {
  return { kind: 'suspend', wait };
}

/** Another execution is started; `run` is called again with its end as the `resumption`. */
export function startChild(child: ChildRequest): NodeResult {
  return { kind: 'start_child', child };
}

/** Thrown when an attempt cannot do what it was asked to. */
export class NodeFailure extends Error {
  override readonly name = 'NodeFailure';

  constructor(
    /** Stable snake_case word, for example `http_status_error`. */
    readonly code: string,
    message: string,
    readonly options: {
      readonly details?: Json;
      /** False where trying again cannot help; the node's `retry` is then not used. Default true. */
      readonly retryable?: boolean;
    } = {},
  ) {
    super(message);
  }
}

/** Longest output of one node, in characters of JSON. */
export const MAX_OUTPUT = 4 * 1024 * 1024;

/** The failure of a node whose output is longer than that. */
export function outputTooLarge(length: number): NodeError {
  return {
    code: 'output_too_large',
    message: `The output has ${length} characters of JSON; ${MAX_OUTPUT} is the most.`,
  };
}

/** Lists and objects inside of each other in the output of one node. */
export const MAX_OUTPUT_DEPTH = 200;

/** The failure of a node whose output is deeper than that: whoever reads it may not stand it. */
export function outputTooDeep(): NodeError {
  return {
    code: 'output_too_deep',
    message: `The output is nested deeper than ${MAX_OUTPUT_DEPTH} levels.`,
  };
}

/** The failure of an attempt that took longer than its node allows. */
export function nodeTimeout(timeoutMs: number): NodeError {
  return {
    code: 'node_timeout',
    message: `The attempt took longer than its ${timeoutMs / 1_000} seconds.`,
  };
}
