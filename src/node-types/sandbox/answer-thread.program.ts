import { parentPort, workerData } from 'node:worker_threads';
import { isDeeperThan } from '../../node-contract/json-depth.ts';
import { lineText } from './json-lines.ts';
import { readAnswer, type SandboxAnswer } from './sandbox-answer.ts';

/** An answer whose output is JSON text. */
export type CheckedAnswer =
  | Exclude<SandboxAnswer, { readonly kind: 'output' }>
  | { readonly kind: 'text'; readonly text: string; readonly logs: readonly string[] }
  | null;

/**
 * Worker thread that parses long answers: receives the chunks of a line and posts its `CheckedAnswer`, in order.
 * Node.js loads it directly, from source or built. So it and its imports use only erasable TypeScript and import each
 * other with `.ts`.
 */
parentPort?.on('message', (line: readonly Uint8Array[]) => {
  parentPort?.postMessage(checked(readAnswer(lineText(line))));
});

function checked(answer: SandboxAnswer | null): CheckedAnswer {
  if (answer?.kind !== 'output') return answer;
  // Checked before `JSON.stringify`, which overflows the stack at an undefined depth.
  if (isDeeperThan(answer.output, Number(workerData))) return { kind: 'too_deep' };
  return { kind: 'text', text: JSON.stringify(answer.output), logs: answer.logs };
}
