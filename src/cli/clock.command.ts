import { type Command, InvalidArgumentError } from 'commander';
import type { MovedTestClockView, TestClockView } from '../test-clock/index.js';
import { Server, type ServerOptions, withServerOptions } from './remote/server.js';
import { printJson, type Terminal } from './terminal.js';

interface ClockOptions extends ServerOptions {
  readonly json?: true;
}

const SECONDS = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 } as const;

/** `clock`: shows or advances the clock of a service that runs with TEST_CLOCK=true. */
export function defineClockCommand(command: Command, terminal: Terminal): void {
  withOptions(command.command('show').description('print the time of the service')).action(
    async (options: ClockOptions) => {
      const answer = await Server.of(options, terminal).request<TestClockView>('GET', '/v1/test-clock');
      if (options.json === true) printJson(terminal, answer);
      else terminal.out(`${answer.now}  ${Math.round(answer.offset_ms / 1_000)} s ahead of real time\n`);
    },
  );
  withOptions(
    command
      .command('advance')
      .description('advance the clock and wait until every due timer and schedule has fired')
      .argument('<duration>', 'a number with s, m, h, d or w, for example 30d', readDuration),
  ).action((seconds: number, options: ClockOptions) =>
    advanceClock(terminal, options, { advance_seconds: seconds }),
  );
  withOptions(
    command
      .command('set')
      .description('advance the clock to a given time')
      .argument('<instant>', 'for example 2030-01-01T00:00:00Z'),
  ).action((instant: string, options: ClockOptions) => advanceClock(terminal, options, { set: instant }));
}

function withOptions(command: Command): Command {
  return withServerOptions(command).option('--json', 'print JSON');
}

/**
 * Advances the test clock. One request may stop before the target time, so requests repeat until the clock reaches the
 * target time.
 */
async function advanceClock(terminal: Terminal, options: ClockOptions, first: object): Promise<void> {
  const server = Server.of(options, terminal);
  const step = (body: object): Promise<MovedTestClockView> => server.request('POST', '/v1/test-clock', body);
  let answer = await step(first);
  let { instants, settled } = answer;
  while (!answer.reached) {
    terminal.err(`${answer.now} ...\n`);
    answer = await step({ set: answer.target });
    instants += answer.instants;
    settled &&= answer.settled;
  }
  // Lint rules forbid spreading `answer`, because its type is a class.
  if (options.json === true) return printJson(terminal, Object.assign(answer, { instants, settled }));
  terminal.out(`${answer.now}  ${instants} ${instants === 1 ? 'instant' : 'instants'} fired\n`);
  if (!settled) terminal.err('Some nodes are still running. Timers that they start may fire later.\n');
}

function readDuration(text: string): number {
  const [, count, unit] = /^(\d+)([smhdw])$/.exec(text) ?? [];
  if (unit === undefined)
    throw new InvalidArgumentError('A duration needs a number and a unit, such as 90s, 15m, 12h, 30d or 2w.');
  return Number(count) * SECONDS[unit as keyof typeof SECONDS];
}
