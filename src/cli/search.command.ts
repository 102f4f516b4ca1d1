import { type Command, Option } from 'commander';
import { printRows } from '../display/index.js';
import type { SearchView } from '../search/index.js';
import { Server, type ServerOptions, withServerOptions } from './remote/server.js';
import { printJson, type Terminal } from './terminal.js';

interface SearchOptions extends ServerOptions {
  readonly kind?: string;
  readonly limit?: string;
  readonly json?: true;
}

const KINDS = ['workflow', 'execution', 'session', 'schedule', 'hook', 'webhook', 'secret', 'key'];

/** `search`: finds resources of all kinds by name, id or words. */
export function defineSearchCommand(command: Command, terminal: Terminal): void {
  withServerOptions(
    command.argument('<text...>', 'part of a name, start of an id or its last 8 characters, or words'),
  )
    .addOption(new Option('--kind <kind>', 'only resources of this kind').choices(KINDS))
    .option('--limit <number>', 'maximum results per kind, up to 20')
    .option('--json', 'print JSON')
    .action((words: readonly string[], options: SearchOptions) => search(terminal, words.join(' '), options));
}

async function search(terminal: Terminal, text: string, options: SearchOptions): Promise<void> {
  const query = new URLSearchParams({ q: text });
  if (options.kind !== undefined) query.set('kind', options.kind);
  if (options.limit !== undefined) query.set('limit', options.limit);
  const found = await Server.of(options, terminal).request<SearchView>(
    'GET',
    `/v1/search?${query.toString()}`,
  );
  if (options.json === true) return printJson(terminal, found);
  printRows(
    terminal,
    ['KIND', 'ID', 'STATUS', 'NAME', 'FOUND IN'],
    found.data.map(({ kind, id, title, status, match }) => [kind, id, status ?? '-', title, match.text]),
  );
  if (found.unsearched !== null)
    terminal.err(
      `Executions created from ${found.unsearched.created_after} to ${found.unsearched.created_before} were not searched by their words.\n`,
    );
}
