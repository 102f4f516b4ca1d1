import type { Command } from 'commander';
import type { NewWebhookView, WebhookDeliveryView, WebhookView } from '../webhooks/index.js';
import { CommandEnd } from './command-error.js';
import { Server, type ServerOptions, withServerOptions } from './remote/server.js';
import { printJson, printTable, type Terminal } from './terminal.js';

interface Options extends ServerOptions {
  readonly json?: true;
}

interface CreateOptions extends Options {
  readonly events?: string;
  readonly filter?: string;
  readonly format?: string;
  readonly description?: string;
  readonly project?: string;
}

interface DeliveriesOptions extends Options {
  readonly status?: string;
}

const FAILED = 1;

/** `webhooks`: lists, creates and tests webhooks of a running service, and shows and repeats their deliveries. */
export function defineWebhooksCommand(command: Command, terminal: Terminal): void {
  const verb = (name: string, description: string): Command =>
    withServerOptions(command.command(name).description(description)).option('--json', 'print JSON');
  verb('list', 'list webhooks and how far each lags behind').action((options: Options) =>
    list(terminal, options),
  );
  verb('create', 'create a webhook and print its signing secret, which is shown only once')
    .argument('<target url>')
    .option('--events <types>', 'event types, separated by commas; default: workflow.*')
    .option('--filter <condition>', 'CEL condition over `event`')
    .option('--format <format>', 'envelope or cloudevents')
    .option('--description <text>')
    .option('--project <id>')
    .action((url: string, options: CreateOptions) => create(terminal, url, options));
  verb('test', 'send a test event; exits with 1 if the delivery fails')
    .argument('<webhook id>')
    .action((id: string, options: Options) =>
      send(terminal, options, `/v1/webhooks/${encodeURIComponent(id)}/test`),
    );
  verb('deliveries', 'list the latest deliveries of a webhook')
    .argument('<webhook id>')
    .option('--status <status>', 'delivered, retrying or failed')
    .action((id: string, options: DeliveriesOptions) => deliveries(terminal, id, options));
  verb('redeliver', 'send the event of an earlier delivery again')
    .argument('<webhook id>')
    .argument('<delivery id>')
    .action((id: string, deliveryId: string, options: Options) =>
      send(
        terminal,
        options,
        `/v1/webhooks/${encodeURIComponent(id)}/deliveries/${encodeURIComponent(deliveryId)}/redeliver`,
      ),
    );
}

async function list(terminal: Terminal, options: Options): Promise<void> {
  const { data } = await Server.of(options, terminal).page<WebhookView>('/v1/webhooks');
  if (options.json === true) return printJson(terminal, data);
  for (const { id, url, status, lag_events: lag, failing_since: since } of data)
    terminal.out(`${id}  ${status}  lag ${lag}  ${url}${since === null ? '' : `  failing since ${since}`}\n`);
}

async function create(terminal: Terminal, url: string, options: CreateOptions): Promise<void> {
  const { events, filter, format, description, project } = options;
  const types = events?.split(',').map((type) => type.trim());
  const body = { url, events: types, filter, format, description, project_id: project };
  const webhook = await Server.of(options, terminal).request<NewWebhookView>('POST', '/v1/webhooks', body);
  if (options.json === true) return printJson(terminal, webhook);
  printTable(terminal, { Id: webhook.id, URL: webhook.url, Secret: webhook.secret ?? '' });
  terminal.err('Store the secret: it is not shown again.\n');
}

async function deliveries(terminal: Terminal, id: string, options: DeliveriesOptions): Promise<void> {
  const { data } = await Server.of(options, terminal).page<WebhookDeliveryView>(
    `/v1/webhooks/${encodeURIComponent(id)}/deliveries`,
    { status: options.status },
  );
  if (options.json === true) return printJson(terminal, data);
  for (const delivery of data) terminal.out(`${lineOf(delivery)}\n`);
}

async function send(terminal: Terminal, options: Options, path: string): Promise<void> {
  const delivery = await Server.of(options, terminal).request<WebhookDeliveryView>('POST', path, {});
  if (options.json === true) printJson(terminal, delivery);
  else terminal.out(`${lineOf(delivery)}\n`);
  if (delivery.status === 'failed') throw new CommandEnd(FAILED);
}

function lineOf({ id, event_type: type, status, attempts, updated_at: at }: WebhookDeliveryView): string {
  const last = attempts.at(-1);
  return `${at}  ${id}  ${type}  ${status}  ${last?.error ?? last?.status_code ?? ''}`.trimEnd();
}
