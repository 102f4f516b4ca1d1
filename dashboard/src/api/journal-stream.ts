import { ApiError } from './api-error.ts';
import { answer, readExecutionEvents, type WorkflowEvent } from './client.ts';

/** The blank line that ends each message of a server-sent event stream. */
const END = '\n\n';
const DATA = 'data:';

/**
 * Reads events of an execution as one server-sent event stream. Reading a long journal page by page would
 * exhaust the rate limit.
 * @param after the events with higher sequence numbers are read
 * @param upTo sequence number of the last wanted event
 * @param take called with each group of events as soon as the group arrives
 * @throws ApiError if the service refuses the request or the stream breaks off
 */
export async function streamJournal(
  id: string,
  after: number,
  upTo: number,
  take: (events: readonly WorkflowEvent[]) => void,
): Promise<void> {
  const body: unknown = await answer(
    readExecutionEvents({
      path: { id },
      query: { after },
      headers: { Accept: 'text/event-stream' },
      parseAs: 'stream',
    }),
  );
  // The response has no body if the execution has ended and has no events after the sequence number `after`.
  if (!(body instanceof ReadableStream)) return;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (let text = '', last = after; last < upTo;) {
      const { done, value } = await reader.read();
      if (done) return;
      text += value;
      const end = text.lastIndexOf(END);
      if (end === -1) continue;
      const events = eventsIn(text.slice(0, end));
      text = text.slice(end + END.length);
      last = events.at(-1)?.sequence ?? last;
      take(events);
    }
  } catch (error) {
    throw ApiError.of(error, undefined);
  } finally {
    // The service keeps the stream of an unfinished execution open. The dashboard closes the stream after the
    // event `upTo`, because later events arrive over the WebSocket.
    void reader.cancel().catch(() => undefined);
  }
}

function eventsIn(text: string): readonly WorkflowEvent[] {
  return text.split(END).flatMap((part) => {
    const data = part.split('\n').find((line) => line.startsWith(DATA));
    return data === undefined ? [] : [JSON.parse(data.slice(DATA.length)) as WorkflowEvent];
  });
}
