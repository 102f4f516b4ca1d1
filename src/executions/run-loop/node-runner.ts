import {
  type AttemptOutcome,
  NodeFailure,
  type NodeContext,
  type NodeResult,
  type RunOrder,
} from '../../engine/index.js';
import type { NodeTypeRegistry } from '../../nodes/index.js';
import type { Execution } from '../execution.js';

/** Longest output of one node, in characters of JSON. */
const MAX_OUTPUT = 4 * 1024 * 1024;

/** Lines and characters of what a node logs that are recorded. */
const MAX_LOG_LINES = 100;
const MAX_LOG_CHARACTERS = 8 * 1024;

/** Runs single attempts: parameters checked, time limited, whatever is thrown turned into an outcome. */
export class NodeRunner {
  constructor(private readonly registry: NodeTypeRegistry) {}

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
  ): AttemptOutcome | Promise<AttemptOutcome> {
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
    const limits = pure ? { signal, dispose: () => undefined } : limited(signal, node.timeoutMs);
    const context: NodeContext = {
      with: input,
      executionId: execution.id,
      workflowId: execution.workflowId,
      projectId: execution.projectId,
      nodeId: node.id,
      attempt: order.attempt,
      idempotencyKey: `${execution.id}:${node.id}`,
      signal: limits.signal,
      timeoutMs: node.timeoutMs,
      resumption: order.resumption,
      progress: report,
    };
    try {
      const result = registered.handler.run(context);
      if (!(result instanceof Promise)) return accept(result, node.type.capabilities.suspends === true);
      return stoppable(result, limits.signal)
        .then((value) => accept(value, node.type.capabilities.suspends === true))
        .catch((error: unknown) => toFailure(error, limits.signal, node.timeoutMs))
        .finally(limits.dispose);
    } catch (error) {
      limits.dispose();
      return toFailure(error, limits.signal, node.timeoutMs);
    }
  }
}

class AttemptTimeout extends Error {}

function limited(
  signal: AbortSignal,
  timeoutMs: number | null,
): { readonly signal: AbortSignal; readonly dispose: () => void } {
  const controller = new AbortController();
  const stop = (): void => controller.abort(signal.reason);
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  const timer =
    timeoutMs === null ? undefined : setTimeout(() => controller.abort(new AttemptTimeout()), timeoutMs);
  return {
    signal: controller.signal,
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

function accept(result: NodeResult, maySuspend: boolean): AttemptOutcome {
  if (result.kind === 'suspend') {
    if (maySuspend) return { kind: 'suspend', wait: result.wait };
    return failure(
      'node_error',
      'The node asked to be suspended, and its type does not declare that it suspends.',
    );
  }
  const text = JSON.stringify(result.output) as string | undefined;
  if (text === undefined) return { kind: 'output', output: null, cached: false };
  if (text.length > MAX_OUTPUT)
    return failure(
      'output_too_large',
      `The output has ${text.length} characters of JSON; ${MAX_OUTPUT} is the most.`,
    );
  const logs = result.logs === undefined ? {} : { logs: boundedLogs(result.logs) };
  return { kind: 'output', output: result.output, ...logs, cached: false };
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

function toFailure(error: unknown, signal: AbortSignal, timeoutMs: number | null): AttemptOutcome {
  if (signal.reason instanceof AttemptTimeout)
    return failure(
      'node_timeout',
      `The attempt took longer than its ${(timeoutMs ?? 0) / 1_000} seconds.`,
      {},
      true,
    );
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
  const { details } = options;
  return {
    kind: 'failure',
    error: { code, message, ...(details === undefined ? {} : { details }) },
    retryable,
  };
}
