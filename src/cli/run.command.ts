import type { Command } from 'commander';
import {
  blankPicture,
  type Display,
  displayOn,
  type Picture,
  printable,
  type WireEvent,
  withEvent,
} from '../display/index.js';
import { type ExecutionStatus, isFinal } from '../execution-events/index.js';
import type { WorkflowView } from '../workflows/index.js';
import { CommandEnd } from './command-error.js';
import { openLiveEvents } from './remote/live-events.js';
import { idOf } from './remote/find.js';
import { readJson, Server, type ServerOptions, withServerOptions } from './remote/server.js';
import { interruption, printJson, type Terminal } from './terminal.js';

interface RunOptions extends ServerOptions {
  readonly input?: string;
  readonly json?: true;
}

const KEYS = { meanwhile: '[Ctrl-C] stop watching; the execution continues', atTheEnd: '' } as const;
const FAILED = 1;

/**
 * `run`: starts an execution of a workflow on a running service and shows its progress. Exits with 0 if the execution
 * completes.
 */
export function defineRunCommand(command: Command, terminal: Terminal): void {
  withServerOptions(
    command
      .argument('<workflow>', 'id or name')
      .option('--input <file>', 'JSON file with the input; - reads stdin; default: {}')
      .option('--json', 'print the ended execution as JSON instead of its progress'),
  ).action((workflow: string, options: RunOptions) => run(terminal, workflow, options));
}

async function run(terminal: Terminal, workflow: string, options: RunOptions): Promise<void> {
  const server = Server.of(options, terminal);
  const input = { input: options.input === undefined ? {} : readJson(options.input) };
  const id = await idOf(server, 'workflow', workflow);
  const path = `/v1/workflows/${id}`;
  const { nodes } = await server.request<WorkflowView>('GET', path);
  const stop = interruption();
  const picture = blankPicture(nodes);
  const { environment } = terminal;
  const screen = options.json === true ? undefined : terminal.screen;
  const write = options.json === true ? () => undefined : terminal.out;
  let display: Display | undefined;
  try {
    const { events } = await openLiveEvents(server, {
      filter: { workflow_id: id },
      signal: stop.signal,
      note: (text) => display?.note(text),
    });
    // If the user pressed Ctrl-C while the connection was being opened, the command starts no execution.
    if (stop.signal.aborted) throw new CommandEnd(stop.exitCode());
    const { id: started } = await server.request<{ readonly id: string }>(
      'POST',
      `${path}/executions`,
      input,
    );
    display = displayOn({ screen, write, environment: environment() }, picture, KEYS);
    display.note(`Execution ${started} is running at ${server.baseUrl}.`);
    const status = await follow(ofExecution(events, started), picture, display);
    if (!isFinal(status)) {
      display.conclude([`Stopped watching. Execution ${started} continues.`]);
      throw new CommandEnd(stop.exitCode());
    }
    if (options.json === true) printJson(terminal, await server.request('GET', `/v1/executions/${started}`));
    if (status !== 'completed') throw new CommandEnd(FAILED);
  } finally {
    display?.close();
    stop.dispose();
  }
}

/**
 * Shows the progress of an execution until the execution ends or the stream of its events ends.
 * @returns the last known status of the execution
 */
async function follow(
  events: AsyncIterable<WireEvent>,
  blank: Picture,
  display: Display,
): Promise<ExecutionStatus> {
  let picture = blank;
  for await (const event of events) {
    const before = picture;
    picture = withEvent(before, event);
    if (picture === before) continue;
    display.event(event, picture);
    if (!isFinal(picture.status)) continue;
    display.conclude([conclusionOf(event)]);
    break;
  }
  return picture.status;
}

async function* ofExecution(events: AsyncIterable<WireEvent>, id: string): AsyncGenerator<WireEvent> {
  for await (const event of events) if (event.execution_id === id) yield event;
}

/** Returns the last line of the output, which reports how the execution ended. */
function conclusionOf(event: WireEvent): string {
  switch (event.type) {
    case 'workflow.completed':
      // If the output is long, the event contains a URL instead.
      if ('output_url' in event.data) return `Completed. The output is at ${String(event.data.output_url)}.`;
      return `Completed. Output: ${JSON.stringify(event.data.output)}`;
    case 'workflow.failed':
      return `Failed: ${printable(event.data.error.message)}`;
    default:
      return 'Cancelled.';
  }
}
