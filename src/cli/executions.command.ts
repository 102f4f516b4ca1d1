import type { Command } from 'commander';
import { printable, printRows, type WireEvent } from '../display/index.js';
import type { ExecutionView } from '../executions/index.js';
import type { WorkflowView } from '../workflows/index.js';
import { CommandError } from './command-error.js';
import { idOf } from './remote/find.js';
import { Server, type ServerOptions, withServerOptions } from './remote/server.js';
import { printJson, type Terminal } from './terminal.js';

interface Options extends ServerOptions {
  readonly status?: string;
  readonly workflow?: string;
  readonly json?: true;
  readonly node?: string;
  readonly comment?: string;
}

/** `executions`: lists, shows, cancels and retries executions of a running service, and decides approvals. */
export function defineExecutionsCommand(command: Command, terminal: Terminal): void {
  withServerOptions(command.command('list').description('list the newest 100 executions'))
    .option('--status <status>', 'only executions with this status')
    .option('--workflow <workflow>', 'only executions of this workflow, by id or name')
    .option('--json', 'print JSON')
    .action((options: Options) => list(terminal, options));
  executionCommand('get', 'print an execution as JSON').action((text: string, options: Options) =>
    call(terminal, text, options, 'GET', ''),
  );
  executionCommand('logs', 'print the log lines of the nodes').action(
    (text: string, options: ServerOptions) => logs(terminal, text, options),
  );
  executionCommand('cancel', 'cancel an execution').action((text: string, options: ServerOptions) =>
    call(terminal, text, options, 'POST', '/cancel', {}),
  );
  executionCommand('retry', 'start an execution again, with the results of nodes that completed')
    .option('--from <node>', 'failed, start or the id of a node', 'failed')
    .action((text: string, { from, ...options }: ServerOptions & { readonly from: string }) =>
      call(terminal, text, options, 'POST', '/retry', { from }),
    );
  for (const decision of ['approve', 'reject'] as const)
    executionCommand(decision, `${decision} what an execution waits for`)
      .option('--node <id>', 'the waiting node, if several wait')
      .option('--comment <text>', 'reason of the decision')
      .action((text: string, options: Options) => decide(terminal, text, options, decision));

  function executionCommand(verb: string, description: string): Command {
    return withServerOptions(
      command.command(verb).argument('<execution>', 'id or its last 8 characters'),
    ).description(description);
  }
}

async function executionOf(terminal: Terminal, text: string, options: ServerOptions) {
  const server = Server.of(options, terminal);
  return { server, path: `/v1/executions/${await idOf(server, 'execution', text)}` };
}

async function list(terminal: Terminal, options: Options): Promise<void> {
  const server = Server.of(options, terminal);
  const { status, workflow } = options;
  const { data } = await server.page<ExecutionView>('/v1/executions', {
    status,
    workflow_id: workflow === undefined ? undefined : await idOf(server, 'workflow', workflow),
  });
  if (options.json === true) return printJson(terminal, data);
  const workflows = await server.page<WorkflowView>('/v1/workflows');
  const names = new Map(workflows.data.map(({ id, name }) => [id, name]));
  printRows(
    terminal,
    ['ID', 'STATUS', 'CREATED', 'WORKFLOW'],
    data.map((run) => [run.id, run.status, run.created_at, names.get(run.workflow_id) ?? run.workflow_id]),
  );
}

async function logs(terminal: Terminal, text: string, options: Options): Promise<void> {
  const { server, path } = await executionOf(terminal, text, options);
  for await (const event of eventsOf(server, path))
    if (event.type === 'workflow.node.complete')
      for (const line of event.data.logs ?? []) terminal.out(`${event.node_id}: ${printable(line)}\n`);
}

async function call(
  terminal: Terminal,
  text: string,
  options: Options,
  ...[method, verb, body]: readonly [method: string, verb: string, body?: object]
): Promise<void> {
  const { server, path } = await executionOf(terminal, text, options);
  printJson(terminal, await server.request(method, `${path}${verb}`, body));
}

async function decide(
  terminal: Terminal,
  text: string,
  { node, comment, ...options }: Options,
  decision: 'approve' | 'reject',
): Promise<void> {
  const { server, path } = await executionOf(terminal, text, options);
  const waits = new Map<string, string>();
  for await (const { type, node_id: id, data } of eventsOf(server, path)) {
    if (id === null) continue;
    if (type === 'workflow.node.waiting' && data.approve_url !== undefined && data.reject_url !== undefined)
      waits.set(id, decision === 'approve' ? data.approve_url : data.reject_url);
    else waits.delete(id);
  }
  const [url, more] = [...waits].flatMap(([id, link]) => (node === undefined || node === id ? [link] : []));
  if (url === undefined) throw new CommandError('The execution does not wait for an approval.');
  if (more !== undefined)
    throw new CommandError('Several nodes wait for an approval. Choose one with --node.');
  const token = url.slice(url.lastIndexOf('/') + 1);
  printJson(terminal, await server.request('POST', `/v1/approvals/${token}`, { comment }));
}

async function* eventsOf(server: Server, path: string): AsyncGenerator<WireEvent> {
  let after: number | null = 0;
  while (after !== null) {
    const page: { readonly data: readonly WireEvent[]; readonly pagination: { readonly has_more: boolean } } =
      await server.request('GET', `${path}/events?limit=100&after=${after}`);
    yield* page.data;
    after = page.pagination.has_more ? (page.data.at(-1)?.sequence ?? null) : null;
  }
}
