import {
  CursorExpiredError,
  StreamRefusedError,
} from '../../../clients/typescript/src/event-stream.errors.ts';
import { type ConnectionState, eventStream } from '../../../clients/typescript/src/event-stream.ts';
import type { EventFilter } from '../../../clients/typescript/src/workflow-event.ts';
import type { WireEvent } from '../../display/index.js';
import { CommandError } from '../command-error.js';
import type { Server } from './server.js';

/** Which events are wanted, and who hears of what is no event. */
export interface LiveEventsOptions {
  readonly filter: EventFilter;
  /** Goes on after it; without it the stream begins now. */
  readonly after?: string;
  readonly signal: AbortSignal;
  /** A sentence on the connection. */
  readonly note: (text: string) => void;
}

/**
 * Connects by the client that anybody would use; a connection that breaks is made again. What happens once this has
 * resolved is not missed.
 * @returns the events, until the signal; a refusal later on is thrown as CommandError, too
 * @throws CommandError where the service refuses
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
  // The socket stays open for as long as nobody asks on.
  signal.addEventListener('abort', () => void stream.return(), { once: true });
  const first = stream.next();
  // It is awaited below, and failing that not at all.
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

/** The same, a refusal in words for a person. */
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
