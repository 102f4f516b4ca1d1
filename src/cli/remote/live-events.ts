import {
  CursorExpiredError,
  StreamRefusedError,
} from '../../../clients/typescript/src/event-stream.errors.ts';
import { type ConnectionState, eventStream } from '../../../clients/typescript/src/event-stream.ts';
import type { EventFilter } from '../../../clients/typescript/src/workflow-event.ts';
import type { WireEvent } from '../../display/index.js';
import { CommandError } from '../command-error.js';
import { defined } from '../../platform/index.js';
import type { Server } from './server.js';

export interface LiveEventsOptions {
  readonly filter: EventFilter;
  /** Cursor after which the stream starts. If absent, the stream contains only new events. */
  readonly after?: string;
  readonly signal: AbortSignal;
  /** Called with a message for the user when the connection is lost or restored. */
  readonly note: (text: string) => void;
}

/**
 * Opens a stream of events with the public TypeScript client, which reconnects automatically. The stream contains every
 * event that occurs after the returned promise resolves.
 * @returns the events until the signal aborts; the iteration throws CommandError if the service refuses a reconnection
 * @throws CommandError if the service refuses the first connection
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
    ...defined({ after }),
    signal,
    onConnection: (state) => {
      if (state.state === 'connected') connected.resolve();
      const sentence = sentenceOf(state);
      if (sentence !== undefined) note(sentence);
    },
  });
  // An abort must close the socket even while no caller iterates over the events.
  signal.addEventListener('abort', () => void stream.return(), { once: true });
  const first = stream.next();
  // The first event may fail after the connection was established but before the caller iterates over the events.
  // Without this handler, Node.js would exit because of an unhandled rejection.
  first.catch(() => undefined);
  await withCommandErrors(Promise.race([connected.promise, first]));
  return { events: following(stream, first) };
}

async function* following(
  stream: ReturnType<typeof eventStream>,
  first: ReturnType<typeof stream.next>,
): AsyncGenerator<WireEvent, void, undefined> {
  for (
    let step = await withCommandErrors(first);
    step.done !== true;
    step = await withCommandErrors(stream.next())
  )
    yield step.value as unknown as WireEvent;
}

/** Converts an error that the service returned for a stream to a CommandError. */
async function withCommandErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof StreamRefusedError || error instanceof CursorExpiredError)) throw error;
    throw new CommandError(error.message, { cause: error });
  }
}

function sentenceOf(state: ConnectionState): string | undefined {
  if (state.state === 'disconnected')
    return `The connection was lost; trying again in ${(state.retryInMs / 1000).toFixed(1)} s.`;
  return state.resumed ? 'Reconnected; no events were missed.' : undefined;
}
