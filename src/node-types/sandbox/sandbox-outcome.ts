import type { Json } from '../../expressions/index.js';
import { NodeFailure, type NodeResult, output, outputTooDeep } from '../../node-contract/index.js';
import { AttemptInterruptedError } from '../../nodes/index.js';
import type { SandboxAnswer } from './sandbox-answer.js';

/**
 * What an answer means for the node.
 * @param prefix of the codes of its failures
 * @throws NodeFailure `<prefix>_error`, `_invalid_output`, `_never_resolved`, `_timeout`, `_memory_exceeded` or
 * `_process_died`; `output_too_deep`.
 * @throws AttemptInterruptedError where the service ends.
 */
export function sandboxOutcome(prefix: string, answer: SandboxAnswer): NodeResult {
  // The runner takes the text of a long output as it is; the contract that plug-ins see has values alone.
  if (answer.kind === 'output') return output(answer.output as Json, answer.logs);
  if (answer.kind === 'too_deep') {
    const { code, message } = outputTooDeep();
    throw new NodeFailure(code, message, { retryable: false });
  }
  if (answer.kind === 'interrupted') throw new AttemptInterruptedError();
  const { reason, message, details } = answer;
  throw new NodeFailure(`${prefix}_${reason}`, message, {
    // Whether to try again is for the author of the program to say, with the node's `retry`.
    retryable: true,
    ...(Object.keys(details).length === 0 ? {} : { details }),
  });
}
