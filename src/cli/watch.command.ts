import { type Command, InvalidArgumentError } from 'commander';
import { eventDetail, type WireEvent } from '../display/index.js';
import { EVENT_TYPES, type EventType } from '../execution-events/index.js';
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

/** `watch`: prints every event that the key may read, live, until Ctrl-C. */
export function defineWatchCommand(command: Command, terminal: Terminal): void {
  withServerOptions(
    command
      .option('--workflow <id>', 'those of one workflow')
      .option('--execution <id>', 'those of one execution')
      .option('--session <id>', 'those of one session')
      .option('--type <types>', 'those of these types, with commas between', readTypes)
      .option('--after <cursor>', 'begin after this cursor; 0 is the oldest event')
      .option('--json', 'print each event as it came, one a line'),
  ).action((options: WatchOptions) => watch(terminal, options));
}

async function watch(terminal: Terminal, options: WatchOptions): Promise<void> {
  const { workflow, execution, session, type, after, json } = options;
  const server = Server.of(options, terminal);
  // An unreachable service or an invalid key fails immediately, without retries.
  await server.request('GET', '/server/version');
  const stop = interruption();
  try {
    const { events } = await openLiveEvents(server, {
      filter: {
        ...(workflow === undefined ? {} : { workflow_id: workflow }),
        ...(execution === undefined ? {} : { execution_id: execution }),
        ...(session === undefined ? {} : { session_id: session }),
        ...(type === undefined ? {} : { types: type }),
      },
      ...(after === undefined ? {} : { after }),
      signal: stop.signal,
      note: (text) => terminal.err(`${text}\n`),
    });
    terminal.err(`Watching ${server.baseUrl}; Ctrl-C ends it.\n`);
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
    const wanted = part.trim();
    const found = EVENT_TYPES.find((type) => type === wanted || type === `workflow.${wanted}`);
    if (found !== undefined) return found;
    throw new InvalidArgumentError(`"${wanted}" is no type of event. Types: ${EVENT_TYPES.join(', ')}.`);
  });
}
