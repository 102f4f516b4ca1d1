import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { readSettings } from '../settings/index.js';
import { CommandError } from './command-error.js';
import { requiredAccess, type Route, routeTable } from './route-table.js';
import { printJson, type Terminal } from './terminal.js';

interface RoutesOptions {
  readonly json?: true;
  readonly markdown?: true;
  readonly write?: true;
}

/** `routes`: lists every HTTP route of the service, and the access that each route requires. */
export function defineRoutesCommand(command: Command, terminal: Terminal): void {
  command
    .option('--json', 'print JSON')
    .option('--markdown', 'print the table of docs/routes.md')
    .option('--write', 'update the table in docs/routes.md of this folder')
    .action(async ({ json, markdown, write }: RoutesOptions) => {
      // The application module loads the whole service, which is slow, so only this command imports it.
      const { AppModule } = await import('../app.module.js');
      // Routes of the test clock exist only with TEST_CLOCK=true, so the setting is turned on to list them.
      const settings = { ...readSettings(terminal.environment()), TEST_CLOCK: true };
      const routes = await routeTable(AppModule.forRoot(settings));
      if (json === true)
        printJson(
          terminal,
          routes.map(({ method, path, access }) => ({ method, path, ...access })),
        );
      else if (write === true) writeTable(markdownOf(routes), terminal);
      else terminal.out(markdown === true ? markdownOf(routes) : textOf(routes));
    });
}

const DOCUMENT = 'docs/routes.md';
const MARKS = /(?<=<!-- routes:begin -->\n\n)[^]*(?=\n<!-- routes:end -->)/;

/**
 * Replaces the table of routes in docs/routes.md.
 * @throws CommandError if the document is missing or has no markers for the table
 */
function writeTable(table: string, terminal: Terminal): void {
  const text = existsSync(DOCUMENT) ? readFileSync(DOCUMENT, 'utf8') : '';
  if (!MARKS.test(text))
    throw new CommandError(
      `${DOCUMENT} contains no table of routes. Run this command in the root folder of the repository.`,
    );
  const updated = text.replace(MARKS, () => table);
  if (updated !== text) writeFileSync(DOCUMENT, updated);
  terminal.out(`${DOCUMENT} ${updated === text ? 'is up to date' : 'was updated'}.\n`);
}

function textOf(routes: readonly Route[]): string {
  const width = Math.max(...routes.map(({ path }) => path.length)) + 2;
  return routes
    .map(({ method, path, access }) => `${method.padEnd(8)}${path.padEnd(width)}${requiredAccess(access)}\n`)
    .join('');
}

function markdownOf(routes: readonly Route[]): string {
  const rows = routes.map(
    ({ method, path, access }) => [`\`${method}\``, `\`${path}\``, requiredAccess(access)] as const,
  );
  const heads = ['method', 'path', 'required access'] as const;
  const widths = heads.map((head, column) =>
    Math.max(head.length, ...rows.map((cells) => cells[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |\n`;
  return [heads, widths.map((width) => '-'.repeat(width)), ...rows].map(line).join('');
}
