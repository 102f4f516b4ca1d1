import { ApiError } from './api-error.ts';
import { answer, readExecutionEvents, type WorkflowEvent } from './client.ts';

/** Parts of a stream of server-sent events end so. */
const END = '\n\n';
const DATA = 'data:';

/**
 * A run's events after a sequence up to another, in one answer however many they are: page by page a long journal
 * would use up the caller's rate limit.
 * @param take is given the events as they arrive
 * @throws ApiError where it is refused, or breaks off
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
  // Nothing at all is the answer where the run has ended and was read to its end.
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
    // A run that goes on has a stream without end; the socket tells the rest.
    void reader.cancel().catch(() => undefined);
  }
}

function eventsIn(text: string): readonly WorkflowEvent[] {
  return text.split(END).flatMap((part) => {
    const data = part.split('\n').find((line) => line.startsWith(DATA));
    return data === undefined ? [] : [JSON.parse(data.slice(DATA.length)) as WorkflowEvent];
  });
}
