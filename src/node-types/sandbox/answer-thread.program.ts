import { parentPort, workerData } from 'node:worker_threads';
import { isDeeperThan } from '../../node-contract/json-depth.ts';
import { lineText } from './json-lines.ts';
import { readAnswer, type SandboxAnswer } from './sandbox-answer.ts';

/** An answer that was checked; its output, if any, is JSON text. */
export type CheckedAnswer =
  | Exclude<SandboxAnswer, { readonly kind: 'output' }>
  | { readonly kind: 'text'; readonly text: string; readonly logs: readonly string[] }
  | null;

/**
 * Program of a worker thread that parses long answers. It receives the chunks of a line and posts the `CheckedAnswer`,
 * in order. Node.js loads this file directly, from the sources or from a build. The file and its imports therefore use
 * only erasable TypeScript and import each other with `.ts`.
 */
parentPort?.on('message', (line: readonly Uint8Array[]) => {
  parentPort?.postMessage(checked(readAnswer(lineText(line))));
});

function checked(answer: SandboxAnswer | null): CheckedAnswer {
  if (answer?.kind !== 'output') return answer;
  // Checked before `JSON.stringify`, which overflows the stack at an unspecified depth.
  if (isDeeperThan(answer.output, Number(workerData))) return { kind: 'too_deep' };
  return { kind: 'text', text: JSON.stringify(answer.output), logs: answer.logs };
}
