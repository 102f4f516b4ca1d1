import { Logger } from '@nestjs/common';
import type { Span } from './span.js';
import { type SpanSink, SpansRejectedError } from './span-sink.js';

/** Maximum number of spans per request to the collector. */
const REQUEST_SPANS = 512;

/** Maximum number of spans in memory. The oldest spans are dropped. */
const MAX_SPANS = 50_000;

const FLUSH_MS = 1_000;

/** Milliseconds before the first retry of a request. */
const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 30_000;

/** Minimum milliseconds between warnings about an unreachable collector. */
const WARN_MS = 60_000;

interface Entry {
  readonly position: number;
  readonly spans: readonly Span[];
}

/** The spans that the collector has not accepted yet, in commit order. */
export class SpanQueue {
  private readonly logger = new Logger('Telemetry');
  private entries: Entry[] = [];
  private waiting = 0;
  private dropped = 0;
  private sending: Promise<void> | null = null;
  private timer: NodeJS.Timeout | undefined;
  private retryMs = 0;
  private warnedAt = -Infinity;

  constructor(private readonly sink: SpanSink) {}

  add(position: number, spans: readonly Span[]): void {
    if (spans.length === 0) return;
    this.entries.push({ position, spans });
    this.waiting += spans.length;
    if (this.waiting > MAX_SPANS) this.drop();
    if (this.retryMs > 0) return;
    if (this.waiting >= REQUEST_SPANS) this.send();
    else this.timer ??= setTimeout(() => this.send(), FLUSH_MS).unref();
  }

  /** Lowest position with unaccepted spans, or Infinity. */
  get oldest(): number {
    return this.entries.reduce((lowest, { position }) => Math.min(lowest, position), Infinity);
  }

  /**
   * Sends the queued spans. Resolves when the collector responds or a request fails.
   *
   * @returns whether the queue is empty
   */
  async flush(): Promise<boolean> {
    this.send();
    await this.sending;
    return this.entries.length === 0;
  }

  async close(): Promise<void> {
    clearTimeout(this.timer);
    await this.sink.close();
  }

  private send(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.sending ??= this.sendAll().finally(() => (this.sending = null));
  }

  private async sendAll(): Promise<void> {
    while (this.entries.length > 0) {
      const sent = this.nextEntries();
      try {
        await this.sink.send(sent.flatMap(({ spans }) => spans));
        this.retryMs = 0;
      } catch (error) {
        this.warn(error);
        if (!(error instanceof SpansRejectedError)) return this.retryLater();
      }
      this.remove(new Set(sent));
    }
  }

  private nextEntries(): readonly Entry[] {
    let spans = 0;
    const end = this.entries.findIndex((entry) => (spans += entry.spans.length) >= REQUEST_SPANS);
    return this.entries.slice(0, end < 0 ? undefined : end + 1);
  }

  private remove(sent: ReadonlySet<Entry>): void {
    this.entries = this.entries.filter((entry) => !sent.has(entry));
    this.waiting = this.entries.reduce((sum, { spans }) => sum + spans.length, 0);
  }

  private retryLater(): void {
    this.retryMs = Math.min(Math.max(FIRST_RETRY_MS, this.retryMs * 2), LAST_RETRY_MS);
    this.timer = setTimeout(() => this.send(), this.retryMs).unref();
  }

  private drop(): void {
    while (this.waiting > MAX_SPANS / 2) {
      const count = this.entries.shift()?.spans.length ?? 0;
      this.waiting -= count;
      this.dropped += count;
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
