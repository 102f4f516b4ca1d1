import { once } from 'node:events';
import { constants } from 'node:os';
import { createInterface } from 'node:readline/promises';
import type { Screen } from '../display/index.js';
import { environment } from '../settings/index.js';
import { CommandEnd } from './command-error.js';

const INTERRUPTED = 128 + constants.signals.SIGINT;

/**
 * Environment variables, input and output streams of a CLI command. Results go to `out`, all other text goes to `err`.
 */
export interface Terminal {
  readonly environment: () => Readonly<Record<string, string | undefined>>;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Output stream with a cursor that the command can move; absent if stdout is a pipe or a file. */
  readonly screen?: Screen;
  /**
   * Asks the user a question and resolves to the answer; absent if stdin is not a terminal.
   * @param options `isSecret` hides the typed characters
   * @throws CommandEnd on Ctrl-C and Ctrl-D
   */
  readonly ask?: (question: string, options?: { readonly isSecret?: boolean }) => Promise<string>;
}

export const processTerminal: Terminal = {
  environment,
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  ...(process.stdout.isTTY ? { screen: process.stdout } : {}),
  ...(process.stdin.isTTY ? { ask } : {}),
};

async function ask(question: string, { isSecret = false } = {}): Promise<string> {
  const lines = createInterface({
    input: process.stdin,
    terminal: true,
    // Secret answers get no output stream, so that `readline` does not echo the typed characters.
    ...(isSecret ? {} : { output: process.stderr }),
  });
  // Prints the question only after `createInterface` has turned off the echo of the terminal. A secret that
  // the user types while the echo is on would appear on the screen.
  if (isSecret) process.stderr.write(question);
  const closed = once(lines, 'close').then(() => undefined);
  const answered = lines.question(isSecret ? '' : question).catch(() => undefined);
  const answer = await Promise.race([answered, closed]);
  lines.close();
  if (isSecret || answer === undefined) process.stderr.write('\n');
  if (answer === undefined) throw new CommandEnd(INTERRUPTED);
  return answer;
}

/** Reports that the user interrupts a command: by Ctrl-C, another signal, or a closed output pipe. */
export interface Interruption {
  readonly signal: AbortSignal;
  /** Returns the exit code of the command: 128 plus the signal number, as shells define it. */
  readonly exitCode: () => number;
  /**
   * Aborts `signal` and restores the default signal handlers. The next SIGINT, SIGTERM or SIGHUP then ends the process.
   */
  readonly dispose: () => void;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Intercepts SIGINT, SIGTERM and SIGHUP: a signal aborts the `signal` of the returned object instead of ending the
 * process.
 */
export function interruption(): Interruption {
  const controller = new AbortController();
  let by: (typeof SIGNALS)[number] | 'SIGPIPE' = 'SIGINT';
  const interrupt = (signal: typeof by): void => {
    by = signal;
    controller.abort();
  };
  const onError = (error: NodeJS.ErrnoException): void => {
    if (error.code !== 'EPIPE') throw error;
    interrupt('SIGPIPE');
  };
  for (const signal of SIGNALS) process.on(signal, interrupt);
  process.stdout.on('error', onError);
  return {
    signal: controller.signal,
    exitCode: () => 128 + constants.signals[by],
    dispose: () => {
      controller.abort();
      for (const signal of SIGNALS) process.off(signal, interrupt);
      process.stdout.off('error', onError);
    },
  };
}

export function printJson({ out }: Terminal, value: unknown): void {
  out(`${JSON.stringify(value, null, 2)}\n`);
}

/** Prints names and values in two columns. */
export function printTable({ out }: Terminal, rows: Readonly<Record<string, string>>): void {
  const width = Math.max(...Object.keys(rows).map((name) => name.length)) + 2;
  for (const [name, value] of Object.entries(rows)) out(`${name.padEnd(width)}${value}\n`);
}
