import { parentPort, workerData } from 'node:worker_threads';
import { isDeeperThan } from '../../node-contract/json-depth.ts';
import { lineText } from './json-lines.ts';
import { readAnswer, type SandboxAnswer } from './sandbox-answer.ts';

/** An answer, its output as JSON text. */
export type CheckedAnswer =
  | Exclude<SandboxAnswer, { readonly kind: 'output' }>
  | { readonly kind: 'text'; readonly text: string; readonly logs: readonly string[] }
  | null;

/**
 * The thread that reads long answers: the pieces of a line in, its `CheckedAnswer` out, in their order. Loaded by Node.js itself, as
 * the sources are or built, so it and what it imports have erasable TypeScript only and name each other by `.ts`.
 */
parentPort?.on('message', (line: readonly Uint8Array[]) => {
  parentPort?.postMessage(checked(readAnswer(lineText(line))));
});

function checked(answer: SandboxAnswer | null): CheckedAnswer {
  if (answer?.kind !== 'output') return answer;
  // Before it is written as text, for which nobody says how deep is too deep.
  if (isDeeperThan(answer.output, Number(workerData))) return { kind: 'too_deep' };
  return { kind: 'text', text: JSON.stringify(answer.output), logs: answer.logs };
}
