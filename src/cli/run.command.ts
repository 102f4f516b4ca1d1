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
import { CommandEnd } from './command-error.js';
import { openLiveEvents } from './remote/live-events.js';
import { readJson, Server, type ServerOptions, withServerOptions } from './remote/server.js';
import { interruption, type Terminal } from './terminal.js';

interface RunOptions extends ServerOptions {
  readonly input?: string;
}

interface WorkflowAnswer {
  readonly nodes: readonly { readonly id: string; readonly type: string }[];
}

const KEYS = { meanwhile: '[Ctrl-C] stop watching; the execution goes on', atTheEnd: '' } as const;
const FAILED = 1;

/** `run`: executes a workflow on a running service and shows it live. Exits with 0 if it completes. */
export function defineRunCommand(command: Command, terminal: Terminal): void {
  withServerOptions(
    command.argument('<workflow id>').option('--input <file>', 'file with the input in JSON; - is stdin'),
  ).action((workflowId: string, options: RunOptions) => run(terminal, workflowId, options));
}

async function run(terminal: Terminal, workflowId: string, options: RunOptions): Promise<void> {
  const server = Server.of(options, terminal);
  const input = options.input === undefined ? {} : { input: readJson(options.input) };
  const path = `/v1/workflows/${encodeURIComponent(workflowId)}`;
  const { nodes } = await server.request<WorkflowAnswer>('GET', path);
  const stop = interruption();
  const picture = blankPicture(nodes);
  const { screen, out: write, environment } = terminal;
  let display: Display | undefined;
  try {
    const { events } = await openLiveEvents(server, {
      filter: { workflow_id: workflowId },
      signal: stop.signal,
      note: (text) => display?.note(text),
    });
    // Do not start an execution after the user interrupted.
    if (stop.signal.aborted) throw new CommandEnd(stop.exitCode());
    const { id } = await server.request<{ readonly id: string }>('POST', `${path}/executions`, input);
    display = displayOn({ screen, write, environment: environment() }, picture, KEYS);
    display.note(`Execution ${id} runs at ${server.baseUrl}.`);
    const status = await follow(ofExecution(events, id), picture, display);
    if (!isFinal(status)) {
      display.conclude([`Stopped watching; execution ${id} goes on.`]);
      throw new CommandEnd(stop.exitCode());
    }
    if (status !== 'completed') throw new CommandEnd(FAILED);
  } finally {
    display?.close();
    stop.dispose();
  }
}

/** Shows an execution until it ends or its event stream does. @returns its last known status */
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

/** The last line: the outcome of the execution. */
function conclusionOf(event: WireEvent): string {
  switch (event.type) {
    case 'workflow.completed':
      // For a long output the event holds a URL instead of the value.
      if ('output_url' in event.data) return `Completed. The output is at ${String(event.data.output_url)}.`;
      return `Completed. Output: ${JSON.stringify(event.data.output)}`;
    case 'workflow.failed':
      return `Failed: ${printable(event.data.error.message)}`;
    default:
      return 'Cancelled.';
  }
}
