import { eventStream, type EventStreamOptions } from './event-stream.ts';
import { isFinalEvent, type TypedEvent } from './workflow-event.ts';

export interface WatchOptions extends Pick<
  EventStreamOptions,
  'baseUrl' | 'signal' | 'backoff' | 'onConnection'
> {
  /**
   * A view token of the execution (`wfv_...`), or a function that requests a view token from your backend. The function
   * is called for each connection, and again after a token expired.
   */
  readonly token: string | (() => string | Promise<string>);
  /** Resumes after the `cursor` of an earlier event, for example after a reload of the page. */
  readonly after?: string;
}

export interface WatchListener {
  readonly onEvent: (event: TypedEvent) => void;
  /** Called once, after the final event or after the watch was stopped. */
  readonly onEnd?: () => void;
  /** Called once instead of `onEnd`, with a `StreamRefusedError`, a `CursorExpiredError` or an error of a callback. */
  readonly onError?: (error: unknown) => void;
}

/**
 * Yields all events of the execution that the view token can read, from the first event to the final one. Reconnects
 * automatically and resumes after the last event, so that each event is yielded exactly once. An aborted `signal` ends
 * the iterator without an error.
 * @throws StreamRefusedError if the token is invalid, expired or revoked; CursorExpiredError if the events after
 * `after` have been deleted
 */
export async function* watchExecution({
  after = '0',
  ...options
}: WatchOptions): AsyncGenerator<TypedEvent, void, undefined> {
  for await (const event of eventStream({ ...options, after })) {
    yield event as TypedEvent;
    if (isFinalEvent(event)) return;
  }
}

/**
 * Like `watchExecution`, but with callbacks, for code without `for await`.
 * @returns a function that stops watching
 */
export function onExecutionEvents(
  options: Omit<WatchOptions, 'signal'>,
  listener: WatchListener,
): () => void {
  const stopped = new AbortController();
  const watch = async (): Promise<void> => {
    for await (const event of watchExecution({ ...options, signal: stopped.signal })) {
      // Events that arrived before the watch was stopped may still be queued.
      if (stopped.signal.aborted) return;
      listener.onEvent(event);
    }
  };
  watch().then(
    () => listener.onEnd?.(),
    (error: unknown) => listener.onError?.(error),
  );
  return () => stopped.abort();
}
