import { Worker } from 'node:worker_threads';
import { LongValue } from '../../long-values/index.js';
import { MAX_OUTPUT_DEPTH } from '../../node-contract/index.js';
import type { CheckedAnswer } from './answer-thread.program.js';
import { lineText } from './json-lines.js';
import { readAnswer, type SandboxAnswer } from './sandbox-answer.js';

const ENDING = import.meta.url.endsWith('.ts') ? 'ts' : 'js';

/**
 * Maximum size in bytes of an answer that the main thread parses. Parsing an answer of this size takes less than a
 * millisecond.
 */
const MAX_READ_AT_ONCE = 65_536;

/** Milliseconds without a pending answer after which the worker thread ends. */
const IDLE_MS = 10_000;

/** Maximum heap of the worker thread in MB. The heap is several times larger than the longest answer requires. */
const MAX_HEAP_MB = 256;

/**
 * Parses the answers of sandboxed processes. Long answers are parsed on a worker thread, so that they do not block
 * the event loop.
 */
export class AnswerThread {
  private thread: Worker | null = null;
  private readonly pending: ((answer: CheckedAnswer) => void)[] = [];
  private idleTimer: NodeJS.Timeout | undefined;

  /**
   * @param line chunks of one line; the buffers of a long line are transferred to the thread
   *
   * @returns null if the line is not an answer; in an answer, a long output is a LongValue
   */
  read(line: readonly Buffer[]): SandboxAnswer | null | Promise<SandboxAnswer | null> {
    const bytes = line.reduce((sum, { length }) => sum + length, 0);
    if (bytes <= MAX_READ_AT_ONCE) return readAnswer(lineText(line));
    return new Promise((resolve) => {
      this.pending.push((answer) => resolve(asSandboxAnswer(answer)));
      clearTimeout(this.idleTimer);
      this.thread ??= this.startThread();
      // The thread must keep the process alive while an answer is pending.
      this.thread.ref();
      this.thread.postMessage(line, line.flatMap(ownMemory));
    });
  }

  /** Ends the worker thread. Pending calls of `read` resolve to null. */
  async close(): Promise<void> {
    const { thread } = this;
    this.discardThread(thread);
    await thread?.terminate();
  }

  private startThread(): Worker {
    const thread = new Worker(new URL(`./answer-thread.program.${ENDING}`, import.meta.url), {
      name: 'answers',
      workerData: MAX_OUTPUT_DEPTH,
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
    thread.on('message', (answer: CheckedAnswer) => {
      this.pending.shift()?.(answer);
      if (this.pending.length > 0) return;
      thread.unref();
      this.idleTimer = setTimeout(() => void this.close(), IDLE_MS).unref();
    });
    thread.on('error', () => this.discardThread(thread));
    return thread;
  }

  private discardThread(thread: Worker | null): void {
    if (this.thread !== thread) return;
    clearTimeout(this.idleTimer);
    this.thread = null;
    for (const settle of this.pending.splice(0)) settle(null);
  }
}

/**
 * Returns the buffer of a chunk if no other chunk shares the buffer. An unshared buffer can be transferred to the
 * thread without a copy.
 */
function ownMemory({ buffer, byteLength }: Buffer): readonly ArrayBuffer[] {
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];
}

function asSandboxAnswer(answer: CheckedAnswer): SandboxAnswer | null {
  if (answer?.kind !== 'text') return answer;
  return { kind: 'output', output: LongValue.ofText(answer.text), logs: answer.logs };
}
