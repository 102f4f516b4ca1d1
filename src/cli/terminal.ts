import { constants } from 'node:os';
import type { Screen } from '../display/index.js';
import { environment } from '../settings/index.js';

/** What a command reads and where it writes: what it found to `out`, all else to `err`. */
export interface Terminal {
  readonly environment: () => Readonly<Record<string, string | undefined>>;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Where something can be drawn in place; left out where `out` is a pipe or a file. */
  readonly screen?: Screen;
}

export const processTerminal: Terminal = {
  environment,
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  ...(process.stdout.isTTY ? { screen: process.stdout } : {}),
};

/** That the person has had enough: Ctrl-C, a signal, or nobody who reads on. */
export interface Interruption {
  readonly signal: AbortSignal;
  /** As a shell counts it: 128 and the signal's number. */
  readonly exitCode: () => number;
  /** What waits for it ends, and the next signal ends the process again. */
  readonly dispose: () => void;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** From now on signals end what waits for them, and not the process. */
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

/** Names and values in two columns. */
export function printTable({ out }: Terminal, rows: Readonly<Record<string, string>>): void {
  const width = Math.max(...Object.keys(rows).map((name) => name.length)) + 2;
  for (const [name, value] of Object.entries(rows)) out(`${name.padEnd(width)}${value}\n`);
}
