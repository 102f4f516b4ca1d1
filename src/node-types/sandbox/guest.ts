import { Script } from 'node:vm';
import { lineReader, lineText } from './json-lines.ts';
import type { SandboxFailure } from './sandbox-answer.js';
import type { SandboxJob } from './sandbox-process.js';

/** Longest job, in bytes: a program and the largest input. */
const MAX_JOB_BYTES = 64 * 1024 * 1024;

/** Sent to every process of a service that is to end, as by systemd: the service decides when this one ends. */
const IGNORED_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** What a job may take over its limit, so that an interpreter that keeps the limit itself can say more of it. */
const GRACE_MS = 50;

/**
 * The frame of a program that runs in a sandboxed process: it reads a job a line from its standard input and
 * writes a `SandboxAnswer` a line, one job at a time. An empty line says that it is ready for the first. It ends
 * when nobody is there to ask it any more, and no job outlives its limit, the parent's end included.
 *
 * Such a program is a module of its own, loaded by Node.js and not by what imports it: its `.ts` file as it is
 * where the sources run, the compiled `.js` in a build. So it and what it imports of its kind have erasable
 * TypeScript only (no decorators, no parameter properties) and name each other by `.ts`, which the compiler
 * rewrites.
 *
 * @param prepare makes ready for one job, ahead of its coming; the answer is one line of JSON
 */
export async function serve(prepare: () => Promise<(job: SandboxJob) => string>): Promise<void> {
  for (const signal of IGNORED_SIGNALS) process.on(signal, () => undefined);
  let ready = prepare();
  const answer = async (line: string): Promise<void> => {
    const run = await ready;
    const job = JSON.parse(line) as SandboxJob;
    process.stdout.write(`${withinTime(job.limitMs, () => run(job))}\n`);
    ready = prepare();
  };
  const onLine = (line: readonly Buffer[]): void => void answer(lineText(line));
  process.stdin.on(
    'data',
    lineReader(MAX_JOB_BYTES, onLine, () => process.exit(1)),
  );
  process.stdin.on('end', () => process.exit(0));
  await ready;
  process.stdout.write('\n');
}

/** What the script below calls: only a script can be given a time, and its watch stops WebAssembly as well. */
const slot = globalThis as typeof globalThis & { runJob?: () => string };
const script = new Script('runJob()');

function withinTime(limitMs: number, run: () => string): string {
  slot.runJob = run;
  try {
    return script.runInThisContext({ timeout: Math.ceil(limitMs) + GRACE_MS }) as string;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    const message = `It took longer than ${limitMs / 1_000} seconds.`;
    return JSON.stringify({
      kind: 'failure',
      reason: 'timeout',
      message,
      details: {},
    } satisfies SandboxFailure);
  }
}
