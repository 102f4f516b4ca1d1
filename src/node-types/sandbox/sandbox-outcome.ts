import type { Json } from '../../expressions/index.js';
import { NodeFailure, type NodeResult, output, outputTooDeep } from '../../node-contract/index.js';
import { AttemptInterruptedError } from '../../nodes/index.js';
import type { SandboxAnswer } from './sandbox-answer.js';

/**
 * Converts the answer of a sandboxed process to the result of a node.
 *
 * @param prefix prefix of the error codes, such as `code`
 * @throws NodeFailure with the code `<prefix>_<reason>` for each `SandboxFailureReason`, or with `output_too_deep`.
 * @throws AttemptInterruptedError if the service is shutting down.
 */
export function sandboxOutcome(prefix: string, answer: SandboxAnswer): NodeResult {
  // The run loop accepts a LongValue as output, although the contract of node types only declares Json.
  if (answer.kind === 'output') return output(answer.output as Json, answer.logs);
  if (answer.kind === 'too_deep') {
    const { code, message } = outputTooDeep();
    throw new NodeFailure(code, message, { retryable: false });
  }
  if (answer.kind === 'interrupted') throw new AttemptInterruptedError();
  const { reason, message, details } = answer;
  throw new NodeFailure(`${prefix}_${reason}`, message, {
    // Every failure of a program is retryable. The retry policy of the node decides whether a retry follows.
    retryable: true,
    ...(Object.keys(details).length === 0 ? {} : { details }),
  });
}
