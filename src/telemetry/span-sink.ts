import type { Span } from './span.js';

export interface SpanSink {
  /**
   * Resolves once the collector has accepted the spans.
   *
   * @throws SpansRejectedError when sending the spans again cannot succeed; any other error when it may succeed
   */
  send(spans: readonly Span[]): Promise<void>;
  close(): Promise<void>;
}

/** Thrown when the collector refuses spans permanently, for example because of a wrong credential. */
export class SpansRejectedError extends Error {
  override readonly name = 'SpansRejectedError';

  constructor(cause: Error) {
    super(`The collector refused the spans: ${cause.message}`, { cause });
  }
}
