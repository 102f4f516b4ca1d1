import { type Command, Option } from 'commander';
import { printRows } from '../display/index.js';
import type { ScheduleView } from '../schedules/index.js';
import { readJson, Server, type ServerOptions, withServerOptions } from './remote/server.js';
import { printJson, type Terminal } from './terminal.js';

interface ListOptions extends ServerOptions {
  readonly workflow?: string;
  readonly json?: true;
}

interface CreateOptions extends ServerOptions {
  readonly name?: string;
  readonly cron?: string;
  readonly every?: string;
  readonly at?: string;
  readonly timeZone?: string;
  readonly input?: string;
  readonly overlap?: string;
}

interface BackfillOptions extends ServerOptions {
  readonly from: string;
  readonly to: string;
  readonly overlap?: string;
}

const OVERLAPS = ['skip', 'queue', 'allow', 'cancel_previous'];

/** `schedules`: lists, creates and controls schedules of a running service. */
export function defineSchedulesCommand(command: Command, terminal: Terminal): void {
  withServerOptions(command.command('list').description('list schedules'))
    .option('--workflow <id>', 'only schedules of this workflow')
    .option('--json', 'print JSON')
    .action((options: ListOptions) => list(terminal, options));
  withServerOptions(command.command('create').argument('<workflow id>').description('create a schedule'))
    .option('--name <name>', 'name of the schedule')
    .option('--cron <expression>', 'a cron expression')
    .option('--every <seconds>', 'an interval')
    .option('--at <time>', 'the only scheduled time, such as 2030-01-31T09:00:00Z')
    .option('--time-zone <zone>', 'IANA time zone of the cron expression')
    .option('--input <file>', 'JSON file with the input; - reads stdin')
    .addOption(
      new Option('--overlap <overlap>', 'what happens while an earlier execution runs').choices(OVERLAPS),
    )
    .action((workflowId: string, options: CreateOptions) => create(terminal, workflowId, options));
  for (const [verb, description] of [
    ['pause', 'pause a schedule'],
    ['resume', 'resume a schedule, from its next scheduled time'],
    ['trigger', 'start an execution now'],
  ] as const)
    withServerOptions(command.command(verb).argument('<schedule id>').description(description)).action(
      (id: string, options: ServerOptions) => post(terminal, `${pathOf(id)}/${verb}`, options),
    );
  withServerOptions(
    command
      .command('backfill')
      .argument('<schedule id>')
      .description('start an execution for each past scheduled time in a time range'),
  )
    .requiredOption('--from <time>', 'start of the range, such as 2030-01-01T00:00:00Z')
    .requiredOption('--to <time>', 'end of the range')
    .addOption(
      new Option('--overlap <overlap>', 'what happens while an earlier execution runs').choices(OVERLAPS),
    )
    .action((id: string, { from, to, overlap, ...options }: BackfillOptions) =>
      post(terminal, `${pathOf(id)}/backfill`, options, { from, to, overlap }),
    );
}

function pathOf(id: string): string {
  return `/v1/schedules/${encodeURIComponent(id)}`;
}

async function list(terminal: Terminal, options: ListOptions): Promise<void> {
  const { data } = await Server.of(options, terminal).page<ScheduleView>('/v1/schedules', {
    workflow_id: options.workflow,
  });
  if (options.json === true) return printJson(terminal, data);
  printRows(
    terminal,
    ['ID', 'STATUS', 'NEXT', 'WHEN', 'NAME'],
    data.map((schedule) => [
      schedule.id,
      schedule.status,
      schedule.next_at ?? '-',
      timingOf(schedule),
      schedule.name,
    ]),
  );
}

function timingOf({ cron, every_seconds: seconds, at, time_zone: zone }: ScheduleView): string {
  if (cron !== null) return `${cron} (${zone})`;
  return seconds === null ? (at ?? '') : `every ${seconds} s`;
}

function create(terminal: Terminal, workflowId: string, options: CreateOptions): Promise<void> {
  const { name, cron, every, at, timeZone, input, overlap, ...server } = options;
  return post(terminal, '/v1/schedules', server, {
    workflow_id: workflowId,
    name,
    cron,
    // Sends an interval that is not a number unchanged, so that the service reports the validation error.
    every_seconds: every !== undefined && /^\d+$/.test(every) ? Number(every) : every,
    at,
    time_zone: timeZone,
    input: input === undefined ? undefined : readJson(input),
    overlap,
  });
}

async function post(terminal: Terminal, path: string, options: ServerOptions, body?: object): Promise<void> {
  printJson(terminal, await Server.of(options, terminal).request('POST', path, body));
}
