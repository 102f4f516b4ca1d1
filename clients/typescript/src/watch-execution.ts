import { eventStream, type EventStreamOptions } from './event-stream.ts';
import { isFinalEvent, type TypedEvent } from './workflow-event.ts';

export interface WatchOptions extends Pick<
  EventStreamOptions,
  'baseUrl' | 'signal' | 'backoff' | 'onConnection'
> {
  /**
   * A view token of the execution (`wfv_...`), or a function that asks your backend for one. The function is called at
   * every connection, and again when a token expires.
   */
  readonly token: string | (() => string | Promise<string>);
  /** Goes on after the `cursor` of an event that was seen before, for example before a reload of the page. */
  readonly after?: string;
}

export interface WatchListener {
  readonly onEvent: (event: TypedEvent) => void;
  /** Called once, after the final event or after `stop`. */
  readonly onEnd?: () => void;
  /** Called once instead of `onEnd`, with `StreamRefusedError`, `CursorExpiredError` or what a callback threw. */
  readonly onError?: (error: unknown) => void;
}

/**
 * Every event of the execution that a view token shows, from its first to its final one; then the iterator ends. It
 * reconnects by itself and resumes after the last event: none is missed, none comes twice. An aborted `signal` ends it.
 * @throws StreamRefusedError when the token is invalid, expired or revoked; CursorExpiredError when the events after
 * `after` are no longer kept
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
 * The same with callbacks, for code without `for await`.
 * @returns stops watching
 */
export function onExecutionEvents(
  options: Omit<WatchOptions, 'signal'>,
  listener: WatchListener,
): () => void {
  const stopped = new AbortController();
  const watch = async (): Promise<void> => {
    for await (const event of watchExecution({ ...options, signal: stopped.signal })) {
      // Events that arrived before `stop` may still be queued.
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
