import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { SETTING_NAMES } from '../../src/settings/index.js';

const SERVICE = fileURLToPath(new URL('../../src/main.js', import.meta.url));
const COMMANDS = fileURLToPath(new URL('../../src/cli/main.js', import.meta.url));
/** The line of the start-up summary that says where the service is. */
const API_LINE = /^ +API +(https?:\S+)\/v1/m;
/** For an end in order, in milliseconds. */
const END_MS = 10_000;

/** Thrown when the service, or a command of it, ended and should not have; says what it wrote last. */
export class ServiceEndedError extends Error {
  override readonly name = 'ServiceEndedError';
}

/** Settings in the form of environment variables. */
export type SettingVariables = Readonly<Record<string, string>>;

/** The service as a process of its own, which can be killed and started again on the same data. */
export class ServiceProcess {
  private child: ChildProcess | undefined;
  private url = '';

  /** @param directory the working directory of the process: what it would read from `.env` is not there */
  constructor(
    private readonly directory: string,
    private readonly settings: SettingVariables,
  ) {}

  /** Where it is, once it has started. */
  get baseUrl(): string {
    return this.url;
  }

  get pid(): number | undefined {
    return this.child?.pid;
  }

  /**
   * Starts it, on the port that it had before; resolves when that answers.
   * @param onEnd called when it ends without having been asked to
   * @throws ServiceEndedError
   */
  async start(onEnd: (error: ServiceEndedError) => void): Promise<void> {
    const port = this.url === '' ? '0' : new URL(this.url).port;
    const child = spawn(process.execPath, [SERVICE], {
      cwd: this.directory,
      env: { ...surroundings(), ...this.settings, PORT: port },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A Ctrl-C at the terminal is the demonstration's to handle.
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
      onEnd(new ServiceEndedError(`The service ended by itself: ${words()}`));
    });
  }

  /** SIGKILL: it gets no chance to put anything in order. Resolves when it is gone. */
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
 * Runs a command of the service.
 * @returns what it printed
 * @throws ServiceEndedError when it failed
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
  if (code !== 0) throw new ServiceEndedError(`"${words[0] ?? ''}" failed: ${said()}`);
  return said();
}

/** The environment of this process without settings of the service: the demonstration touches nobody's data. */
function surroundings(): NodeJS.ProcessEnv {
  const names: ReadonlySet<string> = new Set(SETTING_NAMES);
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !names.has(name)));
}

/** The end of what a process writes, on stdout and stderr. */
function collect({ stdout, stderr }: ChildProcess): () => string {
  let text = '';
  const add = (chunk: Buffer): void => {
    text = (text + chunk.toString()).slice(-KEPT);
  };
  stdout?.on('data', add);
  stderr?.on('data', add);
  return () => text;
}

/** Characters of output that are kept. */
const KEPT = 16_384;
