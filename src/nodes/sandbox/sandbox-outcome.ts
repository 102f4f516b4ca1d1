import { NodeFailure, type NodeResult, output } from '../../engine/index.js';
import { AttemptInterruptedError } from '../attempt-interrupted.error.js';
import type { SandboxAnswer, SandboxFailureReason } from './sandbox-answer.js';

/** What trying again can help against: a busy machine, and what was no doing of the program. */
const PASSING: readonly SandboxFailureReason[] = ['timeout', 'process_died'];

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
    retryable: PASSING.includes(reason),
    ...(Object.keys(details).length === 0 ? {} : { details }),
  });
}
