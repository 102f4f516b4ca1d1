import {
  CursorExpiredError,
  StreamRefusedError,
} from '../../../clients/typescript/src/event-stream.errors.ts';
import { type ConnectionState, eventStream } from '../../../clients/typescript/src/event-stream.ts';
import type { EventFilter } from '../../../clients/typescript/src/workflow-event.ts';
import type { WireEvent } from '../../display/index.js';
import { CommandError } from '../command-error.js';
import type { Server } from './server.js';

/** Which events to stream, and how to report changes of the connection. */
export interface LiveEventsOptions {
  readonly filter: EventFilter;
  /** Cursor to resume after; if absent, the stream begins now. */
  readonly after?: string;
  readonly signal: AbortSignal;
  /** Receives a sentence about the connection. */
  readonly note: (text: string) => void;
}

/**
 * Connects with the public TypeScript client, which reconnects automatically. The stream misses no event after this
 * resolves.
 * @returns the events until the signal aborts; iterating throws CommandError if the service refuses later
 * @throws CommandError when the service refuses the connection
 */
export async function openLiveEvents(
  { baseUrl, key }: Server,
  { filter, after, signal, note }: LiveEventsOptions,
): Promise<{ readonly events: AsyncIterable<WireEvent> }> {
  const connected = Promise.withResolvers<void>();
  const stream = eventStream({
    baseUrl,
    token: key,
    filter,
    ...(after === undefined ? {} : { after }),
    signal,
    onConnection: (state) => {
      if (state.state === 'connected') connected.resolve();
      const told = sentenceOf(state);
      if (told !== undefined) note(told);
    },
  });
  // Without this, the socket would stay open while no one requests the next event.
  signal.addEventListener('abort', () => void stream.return(), { once: true });
  const first = stream.next();
  // The race below may settle without it; this avoids an unhandled rejection.
  first.catch(() => undefined);
  await inWords(Promise.race([connected.promise, first]));
  return { events: following(stream, first) };
}

async function* following(
  stream: ReturnType<typeof eventStream>,
  first: ReturnType<typeof stream.next>,
): AsyncGenerator<WireEvent, void, undefined> {
  for (let step = await inWords(first); step.done !== true; step = await inWords(stream.next()))
    yield step.value as unknown as WireEvent;
}

/** Converts a refusal of the service to a CommandError. */
async function inWords<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof StreamRefusedError || error instanceof CursorExpiredError)) throw error;
    throw new CommandError(error.message, { cause: error });
  }
}

function sentenceOf(state: ConnectionState): string | undefined {
  if (state.state === 'disconnected')
    return `The connection broke; trying again in ${(state.retryInMs / 1000).toFixed(1)} s.`;
  return state.resumed ? 'Connected again; nothing was missed.' : undefined;
}
