import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, InvalidArgumentError } from 'commander';
import type { BulkJobView } from '../bulk-jobs/index.js';
import { printRows } from '../display/index.js';
import { EXECUTION_STATUSES, type ExecutionStatus, isFinal } from '../execution-events/index.js';
import { CommandEnd, CommandError } from './command-error.js';
import { idOf } from './remote/find.js';
import { type ListQuery, Server, type ServerOptions, withServerOptions } from './remote/server.js';
import { printJson, type Terminal } from './terminal.js';

interface BulkOptions extends ServerOptions {
  readonly status?: readonly ExecutionStatus[];
  readonly workflow?: string;
  readonly session?: string;
  readonly project?: string;
  readonly createdAfter?: string;
  readonly createdBefore?: string;
  readonly reason?: string;
  readonly latest?: true;
  readonly yes?: true;
  readonly json?: true;
}

/** An action of a bulk job, and the statuses of the executions that the action can change. */
interface Action {
  readonly name: string;
  readonly statuses: readonly ExecutionStatus[];
}

const ACTIONS: readonly Action[] = [
  { name: 'cancel', statuses: EXECUTION_STATUSES.filter((status) => !isFinal(status)) },
  {
    name: 'pause',
    statuses: EXECUTION_STATUSES.filter((status) => !isFinal(status) && status !== 'paused'),
  },
  { name: 'resume', statuses: ['paused'] },
  {
    name: 'retry',
    statuses: EXECUTION_STATUSES.filter((status) => isFinal(status) && status !== 'completed'),
  },
];

const FIRST_WAIT_MS = 250;
/**
 * Maximum delay between two status requests for a bulk job, in milliseconds. With this delay, a long job causes 12
 * requests a minute, which is below the rate limits.
 */
const LONGEST_WAIT_MS = 5_000;
const FAILED = 1;

/** `bulk`: changes all executions that match a filter, on a running service. */
export function defineBulkCommand(command: Command, terminal: Terminal): void {
  for (const action of ACTIONS) {
    const verb = withServerOptions(
      command.command(action.name).description(`${action.name} all executions that match the options`),
    )
      .option('--status <statuses>', 'only these statuses, separated by commas', statusesOf(action))
      .option('--workflow <workflow>', 'only executions of this workflow, by id or name')
      .option('--session <id>', 'only executions of this session')
      .option('--project <id>', 'only executions of this project')
      .option(
        '--created-after <time>',
        'only executions created after this time, such as 2030-01-31T09:00:00Z',
      )
      .option('--created-before <time>', 'only executions created before this time')
      .option('--yes', 'do not ask for confirmation')
      .option('--json', 'print the ended bulk job as JSON');
    if (action.name === 'cancel' || action.name === 'pause') verb.option('--reason <text>', 'why');
    if (action.name === 'retry') verb.option('--latest', 'run the newest version of the workflow');
    verb.action((options: BulkOptions) => bulk(terminal, verb, action, options));
  }
}

async function bulk(terminal: Terminal, verb: Command, action: Action, options: BulkOptions): Promise<void> {
  const server = Server.of(options, terminal);
  const filter = await filterOf(server, options);
  if (Object.values(filter).every((value) => value === undefined))
    verb.error('error: no filter was given, so all executions would match. Pass at least --status.');
  if (options.yes !== true) {
    const count = await countOf(server, action, filter);
    if (count === 0) return terminal.out('No execution matches.\n');
    await confirm(terminal, action, count);
  }
  const { id, total } = await server.request<BulkJobView>('POST', '/v1/bulk-jobs', {
    action: action.name,
    filter,
    reason: options.reason,
    version: options.latest === true ? 'latest' : undefined,
  });
  terminal.err(
    `Bulk job ${id} has started: ${executions(total)}. It continues in the service if you stop this command.\n`,
  );
  const job = await ended(terminal, server, id);
  if (options.json === true) printJson(terminal, job);
  else report(terminal, job);
  if (job.status !== 'completed' || job.failed > 0) throw new CommandEnd(FAILED);
}

async function filterOf(
  server: Server,
  { status, workflow, session, project, createdAfter, createdBefore }: BulkOptions,
): Promise<ListQuery> {
  return {
    status,
    workflow_id: workflow === undefined ? undefined : await idOf(server, 'workflow', workflow),
    session_id: session,
    project_id: project,
    created_after: createdAfter,
    created_before: createdBefore,
  };
}

/**
 * Number of executions that match the filter. For the action `retry`, it includes executions that were retried before.
 */
async function countOf(server: Server, { statuses }: Action, filter: ListQuery): Promise<number> {
  const query = { ...filter, status: filter['status'] ?? statuses, limit: '1' };
  return (await server.page('/v1/executions', query)).pagination.total;
}

/** @throws CommandError if the user does not confirm, or stdin is not a terminal */
async function confirm({ ask }: Terminal, { name }: Action, count: number): Promise<void> {
  // The count may include executions that were retried before, but a bulk job does not retry them again.
  const effect = `${name} ${name === 'retry' ? 'up to ' : ''}${executions(count)}`;
  if (ask === undefined)
    throw new CommandError(`This terminal cannot ask for confirmation. Pass --yes to ${effect}.`);
  const answer = (await ask(`This will ${effect}. Continue? [y/N] `)).trim().toLowerCase();
  if (answer !== 'y' && answer !== 'yes')
    throw new CommandError('You did not confirm, so no execution was changed.');
}

/** Waits until the job has ended, and prints its progress. */
async function ended(terminal: Terminal, server: Server, id: string): Promise<BulkJobView> {
  let shown = 0;
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
    const job = await server.request<BulkJobView>('GET', `/v1/bulk-jobs/${id}`);
    if (job.processed > shown) terminal.err(`${job.processed} of ${executions(job.total)}\n`);
    shown = job.processed;
    if (job.status !== 'running') return job;
    await sleep(wait);
  }
}

function report(
  terminal: Terminal,
  { status, status_reason, succeeded, failed, failures }: BulkJobView,
): void {
  const reason = status_reason === null ? '' : ` ${status_reason}`;
  terminal.out(`Bulk job ${status}: ${succeeded} succeeded, ${failed} failed.${reason}\n`);
  if (failures.length === 0) return;
  printRows(
    terminal,
    ['FAILURES', 'CODE', 'FIRST EXECUTION', 'MESSAGE'],
    failures.map(({ count, code, execution_ids: [first = ''], message }) => [
      String(count),
      code,
      first,
      message,
    ]),
  );
}

function statusesOf({ name, statuses }: Action): (text: string) => readonly ExecutionStatus[] {
  return (text) =>
    text.split(',').map((part) => {
      const found = statuses.find((status) => status === part.trim());
      if (found !== undefined) return found;
      throw new InvalidArgumentError(
        `The command ${name} does not support the status "${part.trim()}". Supported: ${statuses.join(', ')}.`,
      );
    });
}

function executions(count: number): string {
  return count === 1 ? '1 execution' : `${count} executions`;
}
