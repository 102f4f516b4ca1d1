import { parentPort, workerData } from 'node:worker_threads';
import { isDeeperThan } from '../../node-contract/json-depth.ts';
import { lineText } from './json-lines.ts';
import { readAnswer, type SandboxAnswer } from './sandbox-answer.ts';

/**
 * The answer of a sandboxed process, after a check of its form and nesting depth. The output of the job is JSON text.
 */
export type CheckedAnswer =
  | Exclude<SandboxAnswer, { readonly kind: 'output' }>
  | { readonly kind: 'text'; readonly text: string; readonly logs: readonly string[] }
  | null;

/**
 * Program of a worker thread that parses long answers. Node.js loads this file directly, so the file and its imports
 * must use erasable TypeScript only.
 */
parentPort?.on('message', (line: readonly Uint8Array[]) => {
  parentPort?.postMessage(checked(readAnswer(lineText(line))));
});

function checked(answer: SandboxAnswer | null): CheckedAnswer {
  if (answer?.kind !== 'output') return answer;
  // The nesting depth is checked first, because `JSON.stringify` overflows the stack for a deeply nested output.
  if (isDeeperThan(answer.output, Number(workerData))) return { kind: 'too_deep' };
  return { kind: 'text', text: JSON.stringify(answer.output), logs: answer.logs };
}
