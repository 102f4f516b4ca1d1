/** Servers under measurement: child processes of their own, with their cost read from the operating system. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

export interface ServerProcess {
  readonly url: string;
  readonly pid: number;
  /** Milliseconds from the spawn to the line that says it listens. */
  readonly startedInMs: number;
  /** User and system time so far, in milliseconds. */
  cpuMs(): number;
  /** Resident memory, in MB. */
  residentMb(): number;
  stop(): Promise<void>;
}

/** Starts a server and waits for the line that says where it listens. */
export async function startServer(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<ServerProcess> {
  const begun = performance.now();
  const child = spawn(process.execPath, [...args], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await listening(child);
  const { pid = 0 } = child;
  return {
    url,
    pid,
    startedInMs: performance.now() - begun,
    cpuMs: () => cpuMs(pid),
    residentMb: () =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024,
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.kill('SIGTERM');
      }),
  };
}

function listening(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.once('exit', (code) =>
      reject(new Error(`The server ended with ${code} before it listened:\n${text}`)),
    );
    child.stdout?.on('data', (chunk: Buffer) => {
      text = (text + chunk.toString()).slice(-20_000);
      const url = /(http:\/\/127\.0\.0\.1:\d+)/.exec(text)?.[1];
      if (url !== undefined) resolve(url);
    });
  });
}

/** Linux counts in hundredths of a second. */
function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
