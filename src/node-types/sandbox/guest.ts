import { Script } from 'node:vm';
import { lineReader, lineText } from './json-lines.ts';
import type { SandboxFailure } from './sandbox-answer.js';
import type { SandboxJob } from './sandbox-process.js';

/** Maximum size of a job in bytes: the size of a program plus the largest input. */
const MAX_JOB_BYTES = 64 * 1024 * 1024;

/**
 * Signals that systemd sends to every process of a service. This process ignores them, because the service decides
 * when the process ends.
 */
const IGNORED_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/**
 * Milliseconds after the time limit before a job is stopped. An interpreter that enforces the limit itself reports more
 * detail in this time.
 */
const GRACE_MS = 50;

/**
 * Main loop of a program in a sandboxed process. It reads one job per line from standard input and writes one
 * `SandboxAnswer` per line, one job at a time. The program writes an empty line when it is ready for the first job. The
 * process exits when standard input closes. No job exceeds its time limit, even if the parent has died.
 *
 * Such a program is a separate module that Node.js loads directly: the `.ts` file in development, the compiled `.js` in
 * a build. The program and its local imports therefore use only erasable TypeScript (no decorators, no parameter
 * properties). They import each other with `.ts`, which the compiler rewrites.
 *
 * @param prepare prepares for one job before the job arrives; the returned function runs it and returns one line of
 * JSON
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

/** Called by the script below. Only a Script can have a timeout, and its watchdog also interrupts WebAssembly. */
const slot = globalThis as typeof globalThis & { runJob?: () => string };
const script = new Script('runJob()');

function withinTime(limitMs: number, run: () => string): string {
  slot.runJob = run;
  try {
    return script.runInThisContext({ timeout: Math.ceil(limitMs) + GRACE_MS }) as string;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    const message = `The program took longer than ${limitMs / 1_000} seconds.`;
    return JSON.stringify({
      kind: 'failure',
      reason: 'timeout',
      message,
      details: {},
    } satisfies SandboxFailure);
  }
}
