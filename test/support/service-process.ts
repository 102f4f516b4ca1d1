import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFirstKey } from './first-key.js';

/** A rate-limit plan whose limits no test reaches. Tests of rate limits choose another plan. */
const LIMITS = { DEFAULT_PLAN: 'enterprise' };

/** Maximum length of the stored output, in characters. Older output is dropped. */
const MAX_SAID = 5_000_000;

/**
 * The built service in a separate process with its own data directory. Tests can kill the process. The tests need a
 * build in `dist`, which `npm test` makes.
 */
export class ServiceProcess {
  readonly directory = mkdtempSync(join(tmpdir(), 'workflow-test-'));
  private child: ChildProcess | undefined;
  private address = '';
  /** The newest output of the process. */
  private said = '';
  private ending = false;
  private endedByItself = false;
  private readonly key: string;

  /**
   * @param token key of a service that already runs on the same database; without it, the constructor sets up a first
   * admin
   */
  constructor(
    private readonly environment: Readonly<Record<string, string>> = {},
    token?: string,
  ) {
    this.key = token ?? createFirstKey(this.directory, this.env('0'));
  }

  get url(): string {
    return this.address;
  }

  get token(): string {
    return this.key;
  }

  /**
   * Starts or restarts the service, and waits until it listens.
   * @param port by default any free port
   * @param options `hasOwnGroup` starts the process in a new process group
   */
  async start(port = '0', { hasOwnGroup = false } = {}): Promise<void> {
    const child = spawn(process.execPath, ['dist/src/main.js'], {
      env: this.env(port),
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: hasOwnGroup,
    });
    this.child = child;
    this.said = '';
    this.ending = false;
    this.address = await new Promise((resolve, reject) => {
      const read = (chunk: Buffer): void => {
        this.said = (this.said + chunk.toString()).slice(-MAX_SAID);
        const url = /(http:\/\/127\.0\.0\.1:\d+)/.exec(this.said)?.[1];
        if (url !== undefined) resolve(url);
      };
      child.stdout.on('data', read);
      child.stderr.on('data', read);
      child.once('exit', (code) =>
        reject(new Error(`The service exited with code ${code} before it listened on a port:\n${this.said}`)),
      );
    });
    child.once('exit', (code, signal) => {
      if (this.child !== child || this.ending) return;
      this.endedByItself = true;
      process.stderr.write(`A service ended unexpectedly with ${code ?? signal}:\n${this.said}\n`);
    });
  }

  /** Whether the process exited unexpectedly, that is, not because the test ended it. */
  get hasDied(): boolean {
    return this.endedByItself;
  }

  /** The newest output of the process. */
  get log(): string {
    return this.said;
  }

  get pid(): number {
    return this.child?.pid ?? 0;
  }

  /** Pauses the process with SIGSTOP, or continues it with SIGCONT. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.child?.kill(signal);
  }

  /** Kills the process with SIGKILL, without a shutdown. */
  async kill(): Promise<void> {
    await this.end('SIGKILL');
  }

  /** Waits until the process exits by itself. @returns the exit code */
  ended(): Promise<number | null> {
    return this.end(0);
  }

  /** Requests a shutdown with SIGTERM, and waits until the process exits. @returns the exit code */
  async terminate(): Promise<number | null> {
    return this.end('SIGTERM');
  }

  async dispose(): Promise<void> {
    await this.kill();
    rmSync(this.directory, { recursive: true, force: true });
  }

  /** @throws Error when the response is not a success. */
  async call<T>(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<T> {
    const response = await fetch(this.address + path, {
      method,
      headers: { authorization: `Bearer ${this.key}`, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }

  /** @param signal 0 sends no signal and only waits */
  private end(signal: 'SIGKILL' | 'SIGTERM' | 0): Promise<number | null> {
    const { child } = this;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null)
      return Promise.resolve(null);
    this.ending = true;
    return new Promise((resolve) => {
      child.once('exit', (code) => resolve(code));
      if (signal !== 0) child.kill(signal);
    });
  }

  private env(port: string): NodeJS.ProcessEnv {
    const { BASE_URL: _, ...inherited } = process.env;
    return {
      ...inherited,
      NODE_ENV: 'test',
      PORT: port,
      DATA_DIR: this.directory,
      LOG_LEVEL: 'warn',
      ...LIMITS,
      ...this.environment,
    };
  }
}
