import { Inject, Injectable } from '@nestjs/common';
import { type AttemptOutcome, type RunOrder } from '../../engine/index.js';
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
import { AttemptInterruptedError, NodeTypeRegistry } from '../../nodes/index.js';
import { EffectGuard } from '../../instances/index.js';
import { throughOutages } from '../../database/index.js';
import type { Execution, NewExecution } from '../../execution-store/index.js';
import { RunMemory } from '../../run-memory/index.js';
import type { SecretMask } from '../../masking/index.js';
import { AttemptContext, attemptOf } from './attempt-context.js';
import { boundedError } from './bounded-error.js';
import { ExecutionEffects } from './execution-effects.js';

/** Maximum number of log lines that the journal stores for an attempt. */
const MAX_LOG_LINES = 100;
/** Maximum total number of characters of the log lines that the journal stores for an attempt. */
const MAX_LOG_CHARACTERS = 8 * 1024;

/**
 * Outcome of an attempt. If the node starts a child execution, the outcome contains the child, which the caller must
 * commit.
 */
export type RunnerOutcome =
  | Exclude<AttemptOutcome, { readonly kind: 'child' }>
  /**
   * The outcome of an attempt that a shutdown aborted. No event is recorded, and the attempt runs again in another
   * process.
   */
  | { readonly kind: 'interrupted' }
  | { readonly kind: 'child'; readonly executionId: string; readonly child: NewExecution };

export interface AttemptOrder extends RunOrder {
  /** Masks the values of secrets in the outcome of the attempt. Absent if no attempt of the run has used a secret. */
  readonly mask?: SecretMask | undefined;
}

/**
 * Runs single attempts. Checks the parameters of the node, enforces the timeout, and converts every thrown value to an
 * outcome.
 */
@Injectable()
export class NodeRunner {
  constructor(
    @Inject(NodeTypeRegistry) private readonly registry: Pick<NodeTypeRegistry, 'get'>,
    @Inject(ExecutionEffects) private readonly nodeEffects: Pick<ExecutionEffects, 'approvalLinks' | 'child'>,
    @Inject(EffectGuard) private readonly effects: Pick<EffectGuard, 'isSure' | 'confirmed'>,
    @Inject(RunMemory) private readonly memory: Pick<RunMemory, 'reserveResult'>,
  ) {}

  /**
   * Runs an attempt.
   *
   * @param signal aborts when the run stops
   * @param report called with the progress that the node reports
   * @returns the outcome if the node returns synchronously; otherwise a promise that never rejects
   */
  run(
    execution: Execution,
    order: AttemptOrder,
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
    order: AttemptOrder,
    signal: AbortSignal,
    report: NodeContext['progress'],
  ): RunnerOutcome | Promise<RunnerOutcome> {
    const { node, input, mask } = order;
    const registered = this.registry.get(node.type.type);
    if (registered === undefined)
      return failure(
        'unknown_node_type',
        `The node type "${node.type.type}" is not installed in this process.`,
      );
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
        false,
        mask,
      );
    const pure = node.type.capabilities.pure === true && node.timeoutMs === null;
    const limits: AttemptLimits = pure
      ? { signal, isTimeout: () => false, dispose: () => undefined }
      : limited(signal, node.timeoutMs);
    const context = new AttemptContext(execution, order, limits.signal, report, this.memory);
    const dispose = (): void => {
      limits.dispose();
      context.end();
    };
    try {
      const result = registered.handler.run(context);
      if (!(result instanceof Promise)) {
        const outcome = this.accept(execution, order, result, limits.signal);
        if (outcome instanceof Promise)
          return outcome
            .catch((error: unknown) => toFailure(error, limits, node.timeoutMs, mask))
            .finally(dispose);
        dispose();
        return outcome;
      }
      return stoppable(result, limits.signal)
        .then((value) => this.accept(execution, order, value, limits.signal))
        .catch((error: unknown) => toFailure(error, limits, node.timeoutMs, mask))
        .finally(dispose);
    } catch (error) {
      dispose();
      return toFailure(error, limits, node.timeoutMs, mask);
    }
  }

  /**
   * Converts the result of a node to an outcome.
   *
   * @throws NodeFailure if a child execution or an approval link that the node requests cannot be created
   */
  private accept(
    execution: Execution,
    order: AttemptOrder,
    result: NodeResult,
    signal: AbortSignal,
  ): RunnerOutcome | Promise<RunnerOutcome> {
    const { capabilities } = order.node.type;
    switch (result.kind) {
      case 'output':
        return acceptOutput(result, order.mask);
      case 'suspend':
        if (capabilities.suspends !== true) return undeclared('to be suspended', 'suspends');
        return result.wait.approval === undefined
          ? { kind: 'suspend', wait: maskedWait(result.wait, order.mask) }
          : this.withLinks(execution, order, maskedWait(result.wait, order.mask), signal);
      case 'start_child':
        if (capabilities.startsChildren !== true)
          return undeclared('for a child execution', 'starts children');
        return this.child(execution, order, maskedChild(result.child, order.mask), signal);
      default:
        return assertNever(result);
    }
  }

  private async withLinks(
    execution: Execution,
    order: AttemptOrder,
    wait: Wait,
    signal: AbortSignal,
  ): Promise<RunnerOutcome> {
    const links = await throughOutages(() => this.nodeEffects.approvalLinks(execution, order), signal);
    return { kind: 'suspend', wait, links };
  }

  private async child(
    parent: Execution,
    order: RunOrder,
    wanted: ChildRequest,
    signal: AbortSignal,
  ): Promise<RunnerOutcome> {
    const child = await throughOutages(
      () => this.nodeEffects.child(parent, wanted, attemptOf(order)),
      signal,
    );
    return { kind: 'child', executionId: child.execution.id, child };
  }
}

/** Runs one attempt of a node. */
export type AttemptRunner = Pick<NodeRunner, 'run'>;

class AttemptTimeout extends Error {}

interface AttemptLimits {
  readonly signal: AbortSignal;
  /** Returns true if a failure of the attempt at the time of the call counts as a timeout. */
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
    // A node that enforces `timeoutMs` itself may fail shortly before the timer of this function fires, if the machine
    // is busy. The failure still counts as a timeout.
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

/**
 * Returns a promise that rejects as soon as the signal aborts. A node that ignores its signal then cannot block the
 * run.
 */
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
    `The node requested ${what}, but its type does not declare that it ${capability}.`,
  );
}

function acceptOutput(
  { output, logs }: Extract<NodeResult, { readonly kind: 'output' }>,
  mask: SecretMask | undefined,
): RunnerOutcome {
  const recorded = recordedOutput(output, mask);
  if ('code' in recorded) return { kind: 'failure', error: recorded, retryable: false };
  const lines = logs === undefined ? {} : { logs: boundedLogs(mask?.lines(logs) ?? logs) };
  return { kind: 'output', output: recorded.output, ...lines, cached: false };
}

/**
 * Returns the output in its stored form, or an error if the output is too large or too deeply nested. A `LongValue` is
 * not serialized, because its size is known.
 */
function recordedOutput(
  output: Json | LongValue,
  mask: SecretMask | undefined,
): { readonly output: RecordedValue } | NodeError {
  if (output instanceof LongValue) {
    if (output.size > MAX_OUTPUT) return outputTooLarge(output.size);
    return {
      output:
        mask === undefined || output.text === null ? output : LongValue.ofText(maskedText(output.text, mask)),
    };
  }
  // The depth is checked first, because `JSON.stringify` throws an error if a value is nested too deeply for the call
  // stack.
  if (isDeeperThan(output, MAX_OUTPUT_DEPTH)) return outputTooDeep();
  const text = JSON.stringify(output) as string | undefined;
  if (text === undefined) return { output: null };
  if (text.length > MAX_OUTPUT) return outputTooLarge(text.length);
  const kept = mask === undefined ? text : maskedText(text, mask);
  if (kept.length > INLINE_LIMIT) return { output: LongValue.ofText(kept) };
  return { output: kept === text ? output : (JSON.parse(kept) as Json) };
}

/** Masks the values of secrets in a JSON text. */
function maskedText(text: string, mask: SecretMask): string {
  return JSON.stringify(mask.json(JSON.parse(text) as Json));
}

function maskedWait(wait: Wait, mask: SecretMask | undefined): Wait {
  if (mask === undefined) return wait;
  const { signal, approval } = wait;
  return {
    ...wait,
    ...(signal === undefined ? {} : { signal: mask.text(signal) }),
    ...(approval === undefined
      ? {}
      : {
          approval: {
            ...approval,
            title: mask.text(approval.title),
            ...(approval.description === undefined ? {} : { description: mask.text(approval.description) }),
          },
        }),
  };
}

/**
 * Masks secrets in the input of a child execution, because the journal stores the input. A child that needs a secret
 * must refer to the secret by name.
 */
function maskedChild(child: ChildRequest, mask: SecretMask | undefined): ChildRequest {
  return mask === undefined ? child : { ...child, input: mask.json(child.input) };
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

function toFailure(
  error: unknown,
  limits: AttemptLimits,
  timeoutMs: number | null,
  mask: SecretMask | undefined,
): RunnerOutcome {
  if (limits.isTimeout()) return { kind: 'failure', error: nodeTimeout(timeoutMs ?? 0), retryable: true };
  if (error instanceof AttemptInterruptedError) return { kind: 'interrupted' };
  if (error instanceof NodeFailure)
    return failure(error.code, error.message, error.options, error.options.retryable ?? true, mask);
  return failure('node_error', error instanceof Error ? error.message : String(error), {}, true, mask);
}

/**
 * Creates the outcome of a failed attempt. Secrets are masked before long texts are truncated, because the mask would
 * not recognize a truncated secret.
 */
export function failure(
  code: string,
  message: string,
  { details }: NodeFailure['options'] = {},
  retryable = false,
  mask?: SecretMask,
): Extract<AttemptOutcome, { readonly kind: 'failure' }> {
  if (mask === undefined) return { kind: 'failure', error: boundedError(code, message, details), retryable };
  const text = details === undefined ? undefined : (JSON.stringify(details) as string | undefined);
  const hidden = text === undefined ? undefined : (JSON.parse(maskedText(text, mask)) as Json);
  return { kind: 'failure', error: boundedError(mask.text(code), mask.cutText(message), hidden), retryable };
}
