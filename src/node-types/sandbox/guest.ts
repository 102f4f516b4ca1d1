import { Script } from 'node:vm';
import { lineReader, lineText } from './json-lines.ts';
import type { SandboxFailure } from './sandbox-answer.js';
import type { SandboxJob } from './sandbox-process.js';

/** Maximum size of a job in bytes: the size of a program plus the size of the largest input. */
const MAX_JOB_BYTES = 64 * 1024 * 1024;

/**
 * Signals that a sandboxed process ignores, because systemd sends these signals to every process of a service. The
 * service itself ends its sandboxed processes.
 */
const IGNORED_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/**
 * Milliseconds between the time limit of a job and the forced end of the job. The interpreter can report a more
 * detailed error within these milliseconds.
 */
const GRACE_MS = 50;

/**
 * Main loop of a sandboxed program. Reads one job per line from standard input, and writes one `SandboxAnswer` per
 * line. Node.js loads such a program directly, so the program and its imports must use erasable TypeScript only.
 *
 * @param prepare called before each job arrives; the returned function runs the job and returns one line of JSON
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

/**
 * The global object, through which `script` finds the function of the current job. Jobs run inside a `Script`, because
 * only the timeout of a `Script` also interrupts WebAssembly.
 */
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
