import { environment } from '../platform/index.js';

/** What a command reads and where it writes: what it found to `out`, all else to `err`. */
export interface Terminal {
  readonly environment: () => Readonly<Record<string, string | undefined>>;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

export const processTerminal: Terminal = {
  environment,
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
};

export function printJson({ out }: Terminal, value: unknown): void {
  out(`${JSON.stringify(value, null, 2)}\n`);
}

/** Names and values in two columns. */
export function printTable({ out }: Terminal, rows: Readonly<Record<string, string>>): void {
  const width = Math.max(...Object.keys(rows).map((name) => name.length)) + 2;
  for (const [name, value] of Object.entries(rows)) out(`${name.padEnd(width)}${value}\n`);
}
