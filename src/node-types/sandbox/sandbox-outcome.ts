import { NodeFailure, type NodeResult, output } from '../../node-contract/index.js';
import { AttemptInterruptedError } from '../../nodes/index.js';
import type { SandboxAnswer } from './sandbox-answer.js';

/**
 * What an answer means for the node.
 * @param prefix of the codes of its failures
 * @throws NodeFailure `<prefix>_error`, `_invalid_output`, `_never_resolved`, `_timeout`, `_memory_exceeded` or
 * `_process_died`.
 * @throws AttemptInterruptedError where the service ends.
 */
export function sandboxOutcome(prefix: string, answer: SandboxAnswer): NodeResult {
  if (answer.kind === 'output') return output(answer.output, answer.logs);
  if (answer.kind === 'interrupted') throw new AttemptInterruptedError();
  const { reason, message, details } = answer;
  throw new NodeFailure(`${prefix}_${reason}`, message, {
    // Whether to try again is for the author of the program to say, with the node's `retry`.
    retryable: true,
    ...(Object.keys(details).length === 0 ? {} : { details }),
  });
}
