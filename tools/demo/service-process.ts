import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { SETTING_NAMES } from '../../src/settings/index.js';

const SERVICE = fileURLToPath(new URL('../../src/main.js', import.meta.url));
const COMMANDS = fileURLToPath(new URL('../../src/cli/main.js', import.meta.url));
/** Matches the startup output line with the URL of the API. */
const API_LINE = /^ +API +(https?:\S+)\/v1/m;
/** Milliseconds that the service gets for a graceful shutdown, before the demo sends SIGKILL. */
const END_MS = 10_000;

/** Thrown if the service or a CLI command ends unexpectedly. The error message contains the last part of its output. */
export class ServiceEndedError extends Error {
  override readonly name = 'ServiceEndedError';
}

export type SettingVariables = Readonly<Record<string, string>>;

/** Runs the service as a child process, which the demo can kill and restart. */
export class ServiceProcess {
  private child: ChildProcess | undefined;
  private url = '';

  /**
   * @param directory working directory without an `.env` file
   */
  constructor(
    private readonly directory: string,
    private readonly settings: SettingVariables,
  ) {}

  get baseUrl(): string {
    return this.url;
  }

  get pid(): number | undefined {
    return this.child?.pid;
  }

  /**
   * Starts the service and resolves when it responds. A restarted service uses its former port.
   * @param onEnd called if the service ends unexpectedly
   * @throws ServiceEndedError
   */
  async start(onEnd: (error: ServiceEndedError) => void): Promise<void> {
    const port = this.url === '' ? '0' : new URL(this.url).port;
    const child = spawn(process.execPath, [SERVICE], {
      cwd: this.directory,
      env: { ...surroundings(), ...this.settings, PORT: port },
      stdio: ['ignore', 'pipe', 'pipe'],
      // The service gets its own process group, so that Ctrl-C in the terminal reaches only the demo.
      detached: true,
    });
    this.child = child;
    const words = collect(child);
    this.url = await new Promise<string>((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', () => reject(new ServiceEndedError(`The service did not start: ${words()}`)));
      child.stdout?.on('data', () => {
        const found = API_LINE.exec(words())?.[1];
        if (found !== undefined) resolve(found);
      });
    });
    child.once('exit', () => {
      if (this.child !== child) return;
      this.child = undefined;
      onEnd(new ServiceEndedError(`The service exited unexpectedly: ${words()}`));
    });
  }

  /** Kills the service with SIGKILL, so that the service cannot clean up. Resolves when its process has ended. */
  async kill(): Promise<void> {
    await this.end('SIGKILL');
  }

  async stop(): Promise<void> {
    await this.end('SIGTERM');
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    const { child } = this;
    if (child === undefined) return;
    this.child = undefined;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    const timer = setTimeout(() => child.kill('SIGKILL'), END_MS);
    await gone;
    clearTimeout(timer);
  }
}

/**
 * Runs a CLI command of the service.
 * @returns the output of the command
 * @throws ServiceEndedError if the command fails
 */
export async function runCommand(
  directory: string,
  settings: SettingVariables,
  words: readonly string[],
): Promise<string> {
  const child = spawn(process.execPath, [COMMANDS, ...words], {
    cwd: directory,
    env: { ...surroundings(), ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = collect(child);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new ServiceEndedError(`The command "${words[0] ?? ''}" failed: ${said()}`);
  return said();
}

/** Returns the environment variables without settings of the service, so that the demo never uses the user's data. */
function surroundings(): NodeJS.ProcessEnv {
  const names: ReadonlySet<string> = new Set(SETTING_NAMES);
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !names.has(name)));
}

/**
 * Collects the output of a process from stdout and stderr.
 * @returns a function that returns the last `KEPT` characters of the output
 */
function collect({ stdout, stderr }: ChildProcess): () => string {
  let text = '';
  const add = (chunk: Buffer): void => {
    text = (text + chunk.toString()).slice(-KEPT);
  };
  stdout?.on('data', add);
  stderr?.on('data', add);
  return () => text;
}

/** Maximum number of characters to keep of a process's output. */
const KEPT = 16_384;
