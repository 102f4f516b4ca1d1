import type { Span } from './span.js';

/** Where spans go. */
export interface SpanSink {
  /**
   * Resolves once the collector has accepted the spans.
   * @throws SpansRejectedError when sending them again is useless; any other error when it may help
   */
  send(spans: readonly Span[]): Promise<void>;
  close(): Promise<void>;
}

/** Thrown when the collector refuses spans for good, as with a wrong address or credential. */
export class SpansRejectedError extends Error {
  override readonly name = 'SpansRejectedError';

  constructor(cause: Error) {
    super(`The collector refuses the spans: ${cause.message}`, { cause });
  }
}
