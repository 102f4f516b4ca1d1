import { printable } from './event-line.js';

/** Prints a table. Control characters in the values are replaced by spaces. */
export function printRows(
  terminal: { readonly out: (text: string) => void },
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
