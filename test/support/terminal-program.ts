import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import type { ProgramEnd } from './spawned-program.js';

/** Runs a program of this project in a terminal. The command `script` of util-linux provides the terminal. */
export class TerminalProgram {
  readonly ended: Promise<ProgramEnd>;
  /** Everything that the program wrote to the terminal, including control sequences. */
  screen = '';
  private readonly child: ChildProcess;

  /**
   * @param file path below the project root, such as `dist/tools/demo/main.js`
   * @param directory the working directory
   * @param environment variables in addition to those of this process
   * @param words arguments without characters that a shell interprets
   */
  constructor(
    file: string,
    directory: string,
    environment: Readonly<Record<string, string>>,
    words: readonly string[] = [],
  ) {
    const command = `stty cols 160 rows 50; exec "${process.execPath}" "${resolve(file)}" ${words.join(' ')}`;
    this.child = spawn('script', ['--quiet', '--return', '--flush', '--command', command, '/dev/null'], {
      cwd: directory,
      env: { ...process.env, ...environment },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.child.stdout?.on('data', (chunk: Buffer) => void (this.screen += chunk.toString()));
    this.child.stdin?.on('error', () => undefined);
    this.ended = new Promise((settle) =>
      this.child.once('close', (code, signal) => settle({ code, signal })),
    );
  }

  get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** Sends keys to the program, as if a user typed them. */
  press(keys: string): void {
    this.child.stdin?.write(keys);
  }

  /** Closes the terminal. The program then gets the signal SIGHUP. */
  close(): void {
    this.child.kill('SIGKILL');
  }
}
