import { Logger } from '@nestjs/common';
import type { Span } from './span.js';
import { type SpanBody, type SpanSink, SpansRejectedError } from './span-sink.js';

/** Number of spans at which a request is complete and is sent immediately. */
const REQUEST_SPANS = 512;

/** Maximum number of spans in memory. A full queue drops its oldest spans until half of the maximum remains. */
const MAX_SPANS = 50_000;

const FLUSH_MS = 1_000;

/** Milliseconds before the first retry of a request. Each further retry doubles this delay, up to `LAST_RETRY_MS`. */
const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 30_000;

/** Minimum milliseconds between two warnings about failed exports of spans. */
const WARN_MS = 60_000;

interface Request {
  /** Lowest journal position of the spans in the request. */
  position: number;
  readonly body: SpanBody;
}

/** Queues spans until the collector accepts them, and retries failed requests. */
export class SpanQueue {
  private readonly logger = new Logger('Telemetry');
  /** Requests, oldest first. The first request may be in progress. New spans are added to the last request. */
  private readonly requests: Request[] = [];
  private waiting = 0;
  private dropped = 0;
  private sending: Promise<void> | null = null;
  private timer: NodeJS.Timeout | undefined;
  private retryMs = 0;
  private warnedAt = -Infinity;

  constructor(private readonly sink: SpanSink) {}

  add(position: number, spans: readonly Span[]): void {
    if (spans.length === 0) return;
    const request = this.incomplete(position);
    request.position = Math.min(request.position, position);
    request.body.add(spans);
    this.waiting += spans.length;
    if (this.waiting > MAX_SPANS) this.drop();
    this.schedule();
  }

  /** Lowest journal position of the spans that the collector has not accepted. Infinity if the queue is empty. */
  get oldest(): number {
    return this.requests.reduce((lowest, { position }) => Math.min(lowest, position), Infinity);
  }

  /**
   * Sends the queued spans. Resolves when the queue is empty or when a request fails.
   *
   * @returns whether the queue is empty
   */
  async flush(): Promise<boolean> {
    do {
      this.send();
      await this.sending;
    } while (this.requests.length > 0 && this.retryMs === 0);
    return this.requests.length === 0;
  }

  async close(): Promise<void> {
    clearTimeout(this.timer);
    await this.sink.close();
  }

  /**
   * Returns the request to which new spans are added: the last request, or a new request if the last one is full or in
   * progress.
   */
  private incomplete(position: number): Request {
    const last = this.requests.at(-1);
    const isInProgress = this.sending !== null && this.requests.length === 1;
    if (last !== undefined && !isInProgress && last.body.spans < REQUEST_SPANS) return last;
    const made = { position, body: this.sink.body() };
    this.requests.push(made);
    return made;
  }

  /** Sends a complete request immediately. An incomplete request waits up to one second for more spans. */
  private schedule(): void {
    const [first] = this.requests;
    if (this.retryMs > 0 || first === undefined) return;
    if (first.body.spans >= REQUEST_SPANS) this.send();
    else this.timer ??= setTimeout(() => this.send(), FLUSH_MS).unref();
  }

  private send(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const [first] = this.requests;
    if (first === undefined) return;
    this.sending ??= this.sendRequest(first).finally(() => {
      this.sending = null;
      this.schedule();
    });
  }

  private async sendRequest(request: Request): Promise<void> {
    try {
      await this.sink.send(request.body);
    } catch (error) {
      this.warn(error);
      if (!(error instanceof SpansRejectedError)) return this.retryLater();
    }
    this.retryMs = 0;
    this.requests.shift();
    this.waiting -= request.body.spans;
  }

  private retryLater(): void {
    this.retryMs = Math.min(Math.max(FIRST_RETRY_MS, this.retryMs * 2), LAST_RETRY_MS);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.send(), this.retryMs).unref();
  }

  /**
   * Drops the oldest spans until half of `MAX_SPANS` remains. Spans in the request that is in progress are not dropped.
   */
  private drop(): void {
    while (this.waiting > MAX_SPANS / 2) {
      const [oldest] = this.requests.splice(this.sending === null ? 0 : 1, 1);
      if (oldest === undefined) return;
      this.waiting -= oldest.body.spans;
      this.dropped += oldest.body.spans;
    }
  }

  private warn(error: unknown): void {
    const now = performance.now();
    if (now - this.warnedAt < WARN_MS) return;
    this.warnedAt = now;
    const { waiting, dropped } = this;
    this.logger.warn(
      { err: error, waiting_spans: waiting, dropped_spans: dropped },
      'Spans could not be exported. Check OTEL_EXPORTER_OTLP_ENDPOINT and the collector.',
    );
  }
}
