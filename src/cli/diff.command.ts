import type { Command } from 'commander';
import { printRows } from '../display/index.js';
import type { ExecutionDiffView, ValueDiffView } from '../comparisons/index.js';
import { Server, type ServerOptions, withServerOptions } from './remote/server.js';
import { printJson, type Terminal } from './terminal.js';

interface DiffOptions extends ServerOptions {
  readonly json?: true;
}

/** Maximum length of a value in the table, in characters. */
const MAX_TEXT = 60;

/** `diff`: compares two executions of a running service. */
export function defineDiffCommand(command: Command, terminal: Terminal): void {
  withServerOptions(command.argument('<execution id>').argument('<other id>'))
    .option('--json', 'print JSON')
    .action((id: string, other: string, options: DiffOptions) => diff(terminal, id, other, options));
}

async function diff(terminal: Terminal, id: string, other: string, options: DiffOptions): Promise<void> {
  const path = `/v1/executions/${encodeURIComponent(id)}/diff?with=${encodeURIComponent(other)}`;
  const found = await Server.of(options, terminal).request<ExecutionDiffView>('GET', path);
  if (options.json === true) return printJson(terminal, found);
  const nodes = found.nodes.filter(({ equal }) => equal !== true);
  const rows = [
    ['status', found.base.status, found.other.status],
    ['version', String(found.base.workflow_version), String(found.other.workflow_version)],
    ['duration', durationOf(found.base), durationOf(found.other)],
    ['path', found.path.base.join(' '), found.path.other.join(' ')],
    ...rowsOf('input', found.input),
    ...rowsOf('output', found.output),
    ...nodes.flatMap((node) => {
      const name = node.iteration === null ? node.node_id : `${node.node_id}[${node.iteration}]`;
      return [
        [name, node.base?.status ?? '-', node.other?.status ?? '-'],
        ...rowsOf(`${name} input`, node.input),
        ...rowsOf(`${name} output`, node.output),
      ];
    }),
  ];
  printRows(terminal, ['', 'BASE', 'OTHER'], rows);
}

function durationOf({ duration_ms: ms }: ExecutionDiffView['base']): string {
  return ms === null ? '-' : `${ms} ms`;
}

function rowsOf(name: string, { equal, total, changes }: ValueDiffView): readonly (readonly string[])[] {
  if (equal === null) return [[name, 'too long to compare', 'too long to compare']];
  const rows = changes.map(({ path, kind, base, other }) => [
    path === '' ? name : `${name} ${path}`,
    kind === 'added' ? '-' : cut(base),
    kind === 'removed' ? '-' : cut(other),
  ]);
  return total > changes.length ? [...rows, [name, `${total - changes.length} more differences`, '']] : rows;
}

function cut(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT - 1).toWellFormed()}…`;
}
