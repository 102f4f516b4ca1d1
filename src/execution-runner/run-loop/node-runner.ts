import { type ApprovalLinks, type AttemptOutcome, type RunOrder } from '../../engine/index.js';
import { assertNever, type NodeError } from '../../execution-events/index.js';
import type { Json } from '../../expressions/index.js';
import { INLINE_LIMIT, LongValue, type RecordedValue } from '../../long-values/index.js';
import {
  type ChildRequest,
  isDeeperThan,
  MAX_OUTPUT,
  MAX_OUTPUT_DEPTH,
  NodeFailure,
  type NodeContext,
  type NodeResult,
  nodeTimeout,
  outputTooDeep,
  outputTooLarge,
  type Wait,
} from '../../node-contract/index.js';
import { AttemptInterruptedError, type NodeTypeRegistry } from '../../nodes/index.js';
import type { EffectGuard } from '../../instances/index.js';
import { throughOutages } from '../../database/index.js';
import type { Execution, Beginning } from '../../execution-store/index.js';
import type { RunMemory } from '../memory/run-memory.js';
import { boundedError } from './bounded-error.js';

/** Lines and characters of what a node logs that are recorded. */
const MAX_LOG_LINES = 100;
const MAX_LOG_CHARACTERS = 8 * 1024;

/** What an attempt came to; a child comes with what is to be written of it. */
export type RunnerOutcome =
  | Exclude<AttemptOutcome, { readonly kind: 'child' }>
  /** The end of the service cut it off: nothing is recorded, and it runs again elsewhere. */
  | { readonly kind: 'interrupted' }
  | { readonly kind: 'child'; readonly executionId: string; readonly born: Beginning };

/** What a node may ask for that reaches beyond its own execution. */
export interface Wishes {
  /** @throws NodeFailure where there can be no such child. */
  child(parent: Execution, wanted: ChildRequest): Promise<Beginning>;
  approvalLinks(execution: Execution, order: RunOrder): Promise<ApprovalLinks>;
}

/** Runs single attempts: parameters checked, time limited, whatever is thrown turned into an outcome. */
export class NodeRunner {
  constructor(
    private readonly registry: Pick<NodeTypeRegistry, 'get'>,
    private readonly wishes: Wishes,
    private readonly effects: Pick<EffectGuard, 'isSure' | 'confirmed'>,
    private readonly memory: Pick<RunMemory, 'reserveResult'>,
  ) {}

  /**
   * @param signal aborted when the run is to stop
   * @param report called with the progress that the node tells of itself
   * @returns at once for a pure node that answers at once, else a promise that never rejects
   */
  run(
    execution: Execution,
    order: RunOrder,
    signal: AbortSignal,
    report: NodeContext['progress'],
  ): RunnerOutcome | Promise<RunnerOutcome> {
    if (order.node.type.capabilities.pure === true || this.effects.isSure())
      return this.runNow(execution, order, signal, report);
    return this.effects
      .confirmed(signal)
      .then(() =>
        signal.aborted
          ? failure('lease_lost', 'Another process has taken the execution over.')
          : this.runNow(execution, order, signal, report),
      );
  }

  private runNow(
    execution: Execution,
    order: RunOrder,
    signal: AbortSignal,
    report: NodeContext['progress'],
  ): RunnerOutcome | Promise<RunnerOutcome> {
    const { node, input } = order;
    const registered = this.registry.get(node.type.type);
    if (registered === undefined)
      return failure('unknown_node_type', `The node type "${node.type.type}" is not installed here.`);
    const faults = registered.parameters.check(input);
    if (faults.length > 0)
      return failure(
        'invalid_parameters',
        faults.map(({ path, message }) => `${path}: ${message}`).join(' '),
        {
          details: {
            errors: faults.map(({ path, code, message }) => ({ field: path, code, reason: message })),
          },
        },
      );
    const pure = node.type.capabilities.pure === true && node.timeoutMs === null;
    const limits: AttemptLimits = pure
      ? { signal, isTimeout: () => false, dispose: () => undefined }
      : limited(signal, node.timeoutMs);
    const reservations: (() => void)[] = [];
    let hasEnded = false;
    const dispose = (): void => {
      hasEnded = true;
      limits.dispose();
      for (const free of reservations) free();
    };
    const context: NodeContext = {
      with: input,
      executionId: execution.id,
      workflowId: execution.workflowId,
      projectId: execution.projectId,
      nodeId: node.id,
      attempt: order.attempt,
      iteration: order.iteration?.index ?? null,
      idempotencyKey: `${execution.id}:${node.id}${order.iteration === null ? '' : `[${order.iteration.index}]`}`,
      signal: limits.signal,
      timeoutMs: node.timeoutMs,
      resumption: order.resumption,
      progress: report,
      reserveMemory: async (bytes) => {
        const free = await this.memory.reserveResult(bytes, limits.signal);
        // The attempt may have ended meanwhile.
        if (hasEnded) free();
        else reservations.push(free);
      },
    };
    try {
      const result = registered.handler.run(context);
      if (!(result instanceof Promise)) {
        const outcome = this.accept(execution, order, result, limits.signal);
        if (outcome instanceof Promise)
          return outcome.catch((error: unknown) => toFailure(error, limits, node.timeoutMs)).finally(dispose);
        dispose();
        return outcome;
      }
      return stoppable(result, limits.signal)
        .then((value) => this.accept(execution, order, value, limits.signal))
        .catch((error: unknown) => toFailure(error, limits, node.timeoutMs))
        .finally(dispose);
    } catch (error) {
      dispose();
      return toFailure(error, limits, node.timeoutMs);
    }
  }

  /** Rejects with a NodeFailure where what the node asks for cannot be. */
  private accept(
    execution: Execution,
    order: RunOrder,
    result: NodeResult,
    signal: AbortSignal,
  ): RunnerOutcome | Promise<RunnerOutcome> {
    const { capabilities } = order.node.type;
    switch (result.kind) {
      case 'output':
        return acceptOutput(result);
      case 'suspend':
        if (capabilities.suspends !== true) return undeclared('to be suspended', 'suspends');
        return result.wait.approval === undefined
          ? { kind: 'suspend', wait: result.wait }
          : this.withLinks(execution, order, result.wait, signal);
      case 'start_child':
        if (capabilities.startsChildren !== true)
          return undeclared('for a child execution', 'starts children');
        return this.child(execution, result.child, signal);
      default:
        return assertNever(result);
    }
  }

  private async withLinks(
    execution: Execution,
    order: RunOrder,
    wait: Wait,
    signal: AbortSignal,
  ): Promise<RunnerOutcome> {
    const links = await throughOutages(() => this.wishes.approvalLinks(execution, order), signal);
    return { kind: 'suspend', wait, links };
  }

  private async child(parent: Execution, wanted: ChildRequest, signal: AbortSignal): Promise<RunnerOutcome> {
    const born = await throughOutages(() => this.wishes.child(parent, wanted), signal);
    return { kind: 'child', executionId: born.execution.id, born };
  }
}

class AttemptTimeout extends Error {}

interface AttemptLimits {
  readonly signal: AbortSignal;
  /** Whether an attempt that fails now has used up its time. */
  readonly isTimeout: () => boolean;
  readonly dispose: () => void;
}

function limited(signal: AbortSignal, timeoutMs: number | null): AttemptLimits {
  const deadline = timeoutMs === null ? Infinity : performance.now() + timeoutMs;
  const controller = new AbortController();
  const stop = (): void => controller.abort(signal.reason);
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  const timer =
    timeoutMs === null ? undefined : setTimeout(() => controller.abort(new AttemptTimeout()), timeoutMs);
  return {
    signal: controller.signal,
    // On a busy machine, a node that keeps to `timeoutMs` itself may fail before the timer fires.
    isTimeout: () =>
      controller.signal.aborted
        ? controller.signal.reason instanceof AttemptTimeout
        : performance.now() >= deadline,
    dispose: () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    },
  };
}

/** A node that does not heed its signal must not hold the run: the attempt ends all the same. */
function stoppable(result: Promise<NodeResult>, signal: AbortSignal): Promise<NodeResult> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    result.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

function undeclared(what: string, capability: string): RunnerOutcome {
  return failure(
    'node_error',
    `The node asked ${what}, and its type does not declare that it ${capability}.`,
  );
}

function acceptOutput({ output, logs }: Extract<NodeResult, { readonly kind: 'output' }>): RunnerOutcome {
  const recorded = recordedOutput(output);
  if ('code' in recorded) return { kind: 'failure', error: recorded, retryable: false };
  const lines = logs === undefined ? {} : { logs: boundedLogs(logs) };
  return { kind: 'output', output: recorded.output, ...lines, cached: false };
}

/** An output as it is recorded, or what is wrong with it. A long one may come as text that was checked already. */
function recordedOutput(output: Json | LongValue): { readonly output: RecordedValue } | NodeError {
  if (output instanceof LongValue) return output.size > MAX_OUTPUT ? outputTooLarge(output.size) : { output };
  // Before it is written as text, for which nobody says how deep is too deep.
  if (isDeeperThan(output, MAX_OUTPUT_DEPTH)) return outputTooDeep();
  const text = JSON.stringify(output) as string | undefined;
  if (text === undefined) return { output: null };
  if (text.length > MAX_OUTPUT) return outputTooLarge(text.length);
  return { output: text.length > INLINE_LIMIT ? LongValue.ofText(text) : output };
}

function boundedLogs(logs: readonly string[]): readonly string[] {
  let left = MAX_LOG_CHARACTERS;
  const kept: string[] = [];
  for (const line of logs.slice(0, MAX_LOG_LINES)) {
    if (left <= 0) break;
    kept.push(line.slice(0, left));
    left -= line.length;
  }
  return kept;
}

function toFailure(error: unknown, limits: AttemptLimits, timeoutMs: number | null): RunnerOutcome {
  if (limits.isTimeout()) return { kind: 'failure', error: nodeTimeout(timeoutMs ?? 0), retryable: true };
  if (error instanceof AttemptInterruptedError) return { kind: 'interrupted' };
  if (error instanceof NodeFailure)
    return failure(error.code, error.message, error.options, error.options.retryable ?? true);
  return failure('node_error', error instanceof Error ? error.message : String(error), {}, true);
}

function failure(
  code: string,
  message: string,
  options: NodeFailure['options'] = {},
  retryable = false,
): Extract<AttemptOutcome, { readonly kind: 'failure' }> {
  return { kind: 'failure', error: boundedError(code, message, options.details), retryable };
}
