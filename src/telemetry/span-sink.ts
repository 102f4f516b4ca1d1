import type { Span } from './span.js';

/** Body of a request that sends spans to the collector. */
export interface SpanBody {
  readonly spans: number;
  add(spans: readonly Span[]): void;
  encoded(): Uint8Array;
}

export interface SpanSink {
  /** Creates an empty request body. */
  body(): SpanBody;
  /**
   * Sends spans to the collector. Resolves once the collector has accepted the spans.
   *
   * @throws SpansRejectedError when a retry cannot succeed; any other error when a retry may succeed
   */
  send(body: SpanBody): Promise<void>;
  close(): Promise<void>;
}

/** Thrown when the collector refuses spans permanently, for example because of a wrong credential. */
export class SpansRejectedError extends Error {
  override readonly name = 'SpansRejectedError';

  constructor(cause: Error) {
    super(`The OTLP collector refused the spans: ${cause.message}`, { cause });
  }
}
