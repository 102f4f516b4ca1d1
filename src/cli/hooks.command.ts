import { type Command, Option } from 'commander';
import { printRows } from '../display/index.js';
import type { HookView, HookWithUrlView } from '../hooks/index.js';
import { defined } from '../platform/index.js';
import { CommandError } from './command-error.js';
import { readJson, Server, type ServerOptions, withServerOptions } from './remote/server.js';
import { printJson, printTable, type Terminal } from './terminal.js';

interface ListOptions extends ServerOptions {
  readonly workflow?: string;
  readonly json?: true;
}

interface CreateOptions extends ServerOptions {
  readonly name?: string;
  readonly type?: string;
  readonly secret?: string;
  readonly output?: true;
  readonly file?: string;
  readonly json?: true;
}

interface TestOptions extends ServerOptions {
  readonly body?: string;
}

const TYPES = ['bearer', 'basic', 'hmac', 'github', 'stripe', 'standard_webhooks'];

/** `hooks`: lists, creates and tests hooks of a running service. */
export function defineHooksCommand(command: Command, terminal: Terminal): void {
  withServerOptions(command.command('list').description('list hooks'))
    .option('--workflow <id>', 'only hooks of this workflow')
    .option('--json', 'print JSON')
    .action((options: ListOptions) => list(terminal, options));
  withServerOptions(
    command
      .command('create')
      .argument('<workflow id>')
      .description('create a hook that starts a workflow; prints its URL'),
  )
    .option('--name <name>', 'name of the hook')
    .addOption(new Option('--type <type>', 'how requests are verified').choices(TYPES))
    .option('--secret <name>', 'name of the secret for the verification')
    .option('--output', 'respond with the output of the execution')
    .option('--file <file>', 'JSON file with further fields; - reads stdin')
    .option('--json', 'print JSON')
    .action((workflowId: string, options: CreateOptions) => create(terminal, workflowId, options));
  withServerOptions(
    command
      .command('test')
      .argument('<hook id>')
      .description('send a request to a hook, without a signature'),
  )
    .option('--body <file>', 'JSON file with the body; - reads stdin')
    .action((hookId: string, options: TestOptions) => test(terminal, hookId, options));
}

async function list(terminal: Terminal, options: ListOptions): Promise<void> {
  const { data } = await Server.of(options, terminal).page<HookView>('/v1/hooks', {
    workflow_id: options.workflow,
  });
  if (options.json === true) return printJson(terminal, data);
  printRows(
    terminal,
    ['ID', 'STATUS', 'ACTION', 'LAST DELIVERY', 'URL', 'NAME'],
    data.map((hook) => [
      hook.id,
      hook.status,
      hook.action,
      hook.last_delivery_at ?? 'never',
      `${hook.url_prefix}...`,
      hook.name,
    ]),
  );
}

async function create(terminal: Terminal, workflowId: string, options: CreateOptions): Promise<void> {
  const { name, type, secret, output, file } = options;
  if (secret !== undefined && type === undefined)
    throw new CommandError('--secret has no effect without --type. Add the type of the verification.');
  const hook = await Server.of(options, terminal).request<HookWithUrlView>('POST', '/v1/hooks', {
    ...(file === undefined ? {} : fieldsOf(file)),
    workflow_id: workflowId,
    ...defined({
      name,
      verification: type === undefined ? undefined : { type, secret },
      respond: output === true ? 'output' : undefined,
    }),
  });
  if (options.json === true) return printJson(terminal, hook);
  printTable(terminal, { Id: hook.id, Name: hook.name, URL: hook.url ?? '' });
  terminal.err('Store the URL: it is not shown again.\n');
}

function fieldsOf(file: string): object {
  const fields = readJson(file);
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields))
    throw new CommandError(`${file} must contain a JSON object.`);
  return fields;
}

async function test(terminal: Terminal, hookId: string, { body, ...options }: TestOptions): Promise<void> {
  const path = `/v1/hooks/${encodeURIComponent(hookId)}/test`;
  const request = body === undefined ? {} : { body: readJson(body) };
  printJson(terminal, await Server.of(options, terminal).request('POST', path, request));
}
