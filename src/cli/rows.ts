import { printable } from '../display/index.js';
import type { Terminal } from './terminal.js';

/** Prints rows below a header, in columns. Control characters of values are made visible. */
export function printRows(
  terminal: Terminal,
  header: readonly string[],
  rows: readonly (readonly string[])[],
): void {
  const table = [header, ...rows.map((row) => row.map(printable))];
  const widths = header.map((_, column) => Math.max(...table.map((row) => (row[column] ?? '').length)));
  for (const row of table) {
    const cells = row.map((cell, column) => cell.padEnd(widths[column] ?? 0));
    terminal.out(`${cells.join('  ').trimEnd()}\n`);
  }
}
