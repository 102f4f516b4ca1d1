import type { RunOrder } from '../../engine/index.js';
import type { Execution } from '../../execution-store/index.js';
import type { JsonObject } from '../../expressions/index.js';
import type { NodeContext } from '../../node-contract/index.js';
import {
  attemptTrace,
  type TracedAttempt,
  type TraceHeaders,
  traceHeaders,
} from '../../trace-context/index.js';
import type { RunMemory } from '../../run-memory/index.js';

/**
 * The context that an attempt passes to its node type. A class is faster than an object literal with a getter, because
 * V8 would create a hidden class for each such literal.
 */
export class AttemptContext implements NodeContext {
  readonly with: JsonObject;
  readonly executionId: string;
  readonly workflowId: string;
  readonly projectId: string;
  readonly nodeId: string;
  readonly attempt: number;
  readonly iteration: number | null;
  readonly idempotencyKey: string;
  readonly timeoutMs: number | null;
  readonly resumption: NodeContext['resumption'];
  readonly #execution: Execution;
  readonly #order: RunOrder;
  readonly #memory: Pick<RunMemory, 'reserveResult'>;
  #reservations: (() => void)[] | null = null;
  #hasEnded = false;

  constructor(
    execution: Execution,
    order: RunOrder,
    readonly signal: AbortSignal,
    readonly progress: NodeContext['progress'],
    memory: Pick<RunMemory, 'reserveResult'>,
  ) {
    const { node, input, attempt, iteration, resumption } = order;
    this.with = input;
    this.executionId = execution.id;
    this.workflowId = execution.workflowId;
    this.projectId = execution.projectId;
    this.nodeId = node.id;
    this.attempt = attempt;
    this.iteration = iteration?.index ?? null;
    this.idempotencyKey = `${execution.id}:${node.id}${iteration === null ? '' : `[${iteration.index}]`}`;
    this.timeoutMs = node.timeoutMs;
    this.resumption = resumption;
    this.#execution = execution;
    this.#order = order;
    this.#memory = memory;
  }

  /**
   * Trace context of the attempt. A getter computes the context only on demand, because it needs a hash and most
   * attempts send no request.
   */
  get traceContext(): TraceHeaders {
    return traceHeaders(attemptTrace(this.#execution, attemptOf(this.#order)));
  }

  /**
   * Reserves memory for the result of the attempt. An arrow function keeps `this` bound when a node type passes the
   * function to other code.
   */
  readonly reserveMemory = async (bytes: number): Promise<void> => {
    const free = await this.#memory.reserveResult(bytes, this.signal);
    // If the attempt has ended while it waited for the memory, the memory is freed here, because `end` has
    // already run.
    if (this.#hasEnded) free();
    else (this.#reservations ??= []).push(free);
  };

  /** Frees the memory that the attempt reserved. The caller must call this method when the attempt has ended. */
  end(): void {
    this.#hasEnded = true;
    for (const free of this.#reservations ?? []) free();
  }
}

export function attemptOf({ node, attempt, iteration }: RunOrder): TracedAttempt {
  return { nodeId: node.id, attempt, iteration: iteration?.index ?? null };
}
