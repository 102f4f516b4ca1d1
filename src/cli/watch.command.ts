import { type Command, InvalidArgumentError } from 'commander';
import { eventDetail, type WireEvent } from '../display/index.js';
import { EVENT_TYPES, type EventType } from '../execution-events/index.js';
import { defined } from '../platform/index.js';
import { openLiveEvents } from './remote/live-events.js';
import { Server, type ServerOptions, withServerOptions } from './remote/server.js';
import { interruption, type Terminal } from './terminal.js';

interface WatchOptions extends ServerOptions {
  readonly workflow?: string;
  readonly execution?: string;
  readonly session?: string;
  readonly type?: readonly EventType[];
  readonly after?: string;
  readonly json?: true;
}

/** `watch`: prints new events of all executions that the key may read, until Ctrl-C. */
export function defineWatchCommand(command: Command, terminal: Terminal): void {
  withServerOptions(
    command
      .option('--workflow <id>', 'only events of this workflow')
      .option('--execution <id>', 'only events of this execution')
      .option('--session <id>', 'only events of this session')
      .option('--type <types>', 'only events of these types, separated by commas', readTypes)
      .option('--after <cursor>', 'start after this cursor; 0 starts with the oldest event')
      .option('--json', 'print each event as one line of JSON'),
  ).action((options: WatchOptions) => watch(terminal, options));
}

async function watch(terminal: Terminal, options: WatchOptions): Promise<void> {
  const { workflow, execution, session, type, after, json } = options;
  const server = Server.of(options, terminal);
  // Requests the version first, because this request fails at once if the service is unreachable. A stream of events
  // would keep reconnecting instead.
  await server.request('GET', '/server/version');
  const stop = interruption();
  try {
    const { events } = await openLiveEvents(server, {
      filter: defined({
        workflow_id: workflow,
        execution_id: execution,
        session_id: session,
        types: type,
      }),
      ...defined({ after }),
      signal: stop.signal,
      note: (text) => terminal.err(`${text}\n`),
    });
    terminal.err(`Watching ${server.baseUrl}. Press Ctrl-C to stop.\n`);
    for await (const event of events)
      terminal.out(`${json === true ? JSON.stringify(event) : lineOf(event)}\n`);
  } finally {
    stop.dispose();
  }
}

const TYPE_WIDTH = Math.max(...EVENT_TYPES.map((type) => type.length));

function lineOf(event: WireEvent): string {
  const { created_at, execution_id, sequence, type } = event;
  const detail = eventDetail(event);
  return `${created_at}  ${execution_id}  ${`#${sequence}`.padStart(4)}  ${type.padEnd(TYPE_WIDTH)}  ${detail}`.trimEnd();
}

function readTypes(text: string): readonly EventType[] {
  return text.split(',').map((part) => {
    const name = part.trim();
    const found = EVENT_TYPES.find((type) => type === name || type === `workflow.${name}`);
    if (found !== undefined) return found;
    throw new InvalidArgumentError(`"${name}" is not an event type. Types: ${EVENT_TYPES.join(', ')}.`);
  });
}
