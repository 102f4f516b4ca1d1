/** Starts the servers of benchmarks as child processes. Reads their CPU time and memory from the operating system. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { cpuMs } from './cpu.ts';

export interface ServerProcess {
  readonly url: string;
  readonly pid: number;
  readonly child: ChildProcess;
  /** Milliseconds from the start of the process to the output line with its URL. */
  readonly startedInMs: number;
  cpuMs(): number;
  residentMb(): number;
  stop(): Promise<void>;
}

const ANSWER_MS = 60_000;

/** Child processes that are still running. They are killed when the benchmark exits. */
const living = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of living) child.kill('SIGKILL');
});

/**
 * Starts a Node.js server and waits for the output line with its URL.
 * @param channel whether to open an IPC channel to the process
 */
export async function startServer(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  channel = false,
): Promise<ServerProcess> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [...args], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit', ...(channel ? (['ipc'] as const) : [])],
  });
  const stop = stopperOf(child);
  const url = await listening(child);
  const { pid = 0 } = child;
  return {
    url,
    pid,
    child,
    startedInMs: performance.now() - startedAt,
    cpuMs: () => cpuMs(pid),
    residentMb: () =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024,
    stop,
  };
}

/** A server program that gets its address by arguments, so its output need not contain a URL. */
export interface AddressedProgram {
  readonly program: string;
  readonly args: readonly string[];
  readonly directory: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Returns whether the program responds to requests. May throw while the program starts. */
  readonly answers: () => Promise<boolean>;
}

/** Starts a server program and waits until it responds to requests. */
export async function startWithAddress(
  addressed: AddressedProgram,
): Promise<Pick<ServerProcess, 'pid' | 'stop'>> {
  const { program, args, directory, environment, answers } = addressed;
  const child = spawn(program, [...args], {
    cwd: directory,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-20_000)));
  const stop = stopperOf(child);
  const startedAt = performance.now();
  while (!(await answers().catch(() => false))) {
    if (child.exitCode !== null || performance.now() - startedAt > ANSWER_MS) {
      await stop();
      throw new Error(`${program} does not respond:\n${output}`);
    }
    await pause(100);
  }
  return { pid: child.pid ?? 0, stop };
}

/**
 * @returns a function that stops the child and waits for the end
 */
function stopperOf(child: ChildProcess): () => Promise<void> {
  living.add(child);
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  void ended.then(() => living.delete(child));
  return () => {
    child.kill('SIGTERM');
    return ended;
  };
}

function listening(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.once('exit', (code) =>
      reject(new Error(`The server exited with code ${code} before it listened on a port:\n${text}`)),
    );
    child.stdout?.on('data', (chunk: Buffer) => {
      text = (text + chunk.toString()).slice(-20_000);
      const url = /(http:\/\/127\.0\.0\.1:\d+)/.exec(text)?.[1];
      if (url !== undefined) resolve(url);
    });
  });
}
