import type { Json } from '../../expressions/index.js';
import { NodeFailure, type NodeResult, output, outputTooDeep } from '../../node-contract/index.js';
import { AttemptInterruptedError } from '../../nodes/index.js';
import type { SandboxAnswer } from './sandbox-answer.js';

/**
 * Converts an answer to the result of a node.
 *
 * @param prefix prefix of the error codes
 * @throws NodeFailure `<prefix>_error`, `_invalid_output`, `_never_resolved`, `_timeout`, `_memory_exceeded` or
 * `_process_died`; `output_too_deep`.
 * @throws AttemptInterruptedError if the service is shutting down.
 */
export function sandboxOutcome(prefix: string, answer: SandboxAnswer): NodeResult {
  // The runner accepts a LongValue, although the contract only declares Json.
  if (answer.kind === 'output') return output(answer.output as Json, answer.logs);
  if (answer.kind === 'too_deep') {
    const { code, message } = outputTooDeep();
    throw new NodeFailure(code, message, { retryable: false });
  }
  if (answer.kind === 'interrupted') throw new AttemptInterruptedError();
  const { reason, message, details } = answer;
  throw new NodeFailure(`${prefix}_${reason}`, message, {
    // The node's `retry` decides whether a retry follows.
    retryable: true,
    ...(Object.keys(details).length === 0 ? {} : { details }),
  });
}
