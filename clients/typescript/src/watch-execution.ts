import { eventStream, type EventStreamOptions } from './event-stream.ts';
import type { WorkflowEvent, WorkflowEventType } from './workflow-event.ts';

export interface WatchOptions extends Pick<
  EventStreamOptions,
  'baseUrl' | 'signal' | 'backoff' | 'onConnection'
> {
  /** A view token of the execution (`wfv_...`), or a function that asks your backend for a fresh one. */
  readonly token: string | (() => string | Promise<string>);
}

export interface WatchListener {
  readonly onEvent: (event: WorkflowEvent) => void;
  /** Called once, after the final event or after `stop`. */
  readonly onEnd?: () => void;
  /** Called once instead of `onEnd`, with `StreamRefusedError` or `CursorExpiredError`. */
  readonly onError?: (error: unknown) => void;
}

const FINAL_TYPES: readonly WorkflowEventType[] = [
  'workflow.completed',
  'workflow.failed',
  'workflow.cancelled',
];

/**
 * Every event of the execution that a view token shows, from its first to its final one; then the stream ends.
 * Connections that break are made again, as `eventStream` does.
 * @throws StreamRefusedError when the token is invalid, expired or revoked; CursorExpiredError
 */
export async function* watchExecution(options: WatchOptions): AsyncGenerator<WorkflowEvent, void, undefined> {
  for await (const event of eventStream({ ...options, after: '0' })) {
    yield event;
    if (FINAL_TYPES.includes(event.type)) return;
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
    for await (const event of watchExecution({ ...options, signal: stopped.signal })) listener.onEvent(event);
  };
  watch().then(
    () => listener.onEnd?.(),
    (error: unknown) => listener.onError?.(error),
  );
  return () => stopped.abort();
}
