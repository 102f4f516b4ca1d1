import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { SETTING_NAMES } from '../../src/settings/index.js';

/** How a program ended: with an exit code, or by a signal. */
export interface ProgramEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/**
 * A built program of the service in a separate process. The process gets no settings of the service except the given
 * ones.
 */
export class SpawnedProgram {
  private static readonly running = new Set<ChildProcess>();

  readonly ended: Promise<ProgramEnd>;
  out = '';
  err = '';
  private readonly child: ChildProcess;
  private readonly waiting: (() => void)[] = [];

  /**
   * @param file path of the program below the project root, such as `dist/src/main.js`
   * @param directory the working directory
   * @param through a command that starts the program; without it, Node.js runs the file
   */
  constructor(
    file: string,
    directory: string,
    settings: Readonly<Record<string, string>> = {},
    words: readonly string[] = [],
    through?: readonly [command: string, ...words: readonly string[]],
  ) {
    const names: ReadonlySet<string> = new Set(SETTING_NAMES);
    const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !names.has(name)));
    const [command, ...rest] = through ?? [process.execPath, resolve(file), ...words];
    this.child = spawn(command, rest, {
      cwd: directory,
      env: { ...environment, ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    SpawnedProgram.running.add(this.child);
    this.child.stdout?.on('data', (chunk: Buffer) => this.receive(() => (this.out += chunk.toString())));
    this.child.stderr?.on('data', (chunk: Buffer) => this.receive(() => (this.err += chunk.toString())));
    this.ended = new Promise((settle) => {
      this.child.once('close', (code, signal) => {
        SpawnedProgram.running.delete(this.child);
        settle({ code, signal });
        this.receive(() => undefined);
      });
    });
  }

  /** Kills all programs that tests started and did not end. */
  static killAll(): void {
    for (const child of SpawnedProgram.running) child.kill('SIGKILL');
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /**
   * Waits until the standard output of the program matches the pattern.
   * @throws Error if the program ends before that
   */
  async prints(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const found = pattern.exec(this.out);
      if (found !== null) return found;
      if (this.child.exitCode !== null || this.child.signalCode !== null)
        throw new Error(
          `The program ended with the exit code or signal ${this.child.exitCode ?? this.child.signalCode}: ${this.out}${this.err}`,
        );
      await new Promise<void>((wake) => this.waiting.push(wake));
    }
  }

  /** Waits until the service prints that it listens. @returns the URL of the service */
  async url(): Promise<string> {
    const [, url = ''] = await this.prints(/^ {2}API +(https?:\/\/\S+?)\/v1 /m);
    return url;
  }

  private receive(add: () => unknown): void {
    add();
    for (const wake of this.waiting.splice(0)) wake();
  }
}
