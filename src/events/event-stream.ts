import type { ServerResponse } from 'node:http';
import { drained } from '../platform/index.js';
import { type Batch, type Cursor, encodeCursor, envelopeText } from '../journal/index.js';
import type { FeedSink } from './replay.js';

/** Delay in milliseconds after which a browser reconnects, sent as `retry` in the stream. */
const RETRY_MS = 1_000;

export interface EventStreamOptions {
  readonly heartbeatMs: number;
  /** Maximum number of unsent bytes. A reader that exceeds it is disconnected as slow when further events arrive. */
  readonly sendBufferBytes: number;
  /** Sequence of the first event to send. Earlier events of the execution are omitted. */
  readonly fromSequence: number;
  /** Returns whether the event at `index` of a batch is the last event of the stream. */
  readonly endsWith: (batch: Batch, index: number) => boolean;
  readonly onEvent: () => void;
  /** Called when the stream disconnects its reader as slow. */
  readonly onSlow: () => void;
  readonly report: (error: unknown) => void;
}

/**
 * A response of type `text/event-stream`. Each event has its cursor as `id`, its type as `event` and its envelope as
 * `data`.
 */
export class EventStream implements FeedSink {
  private readonly heartbeat: NodeJS.Timeout;
  private pending: string[] = [];

  constructor(
    private readonly response: ServerResponse,
    private readonly options: EventStreamOptions,
  ) {
    response.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store',
      // The connection is not kept alive after the stream, because an idle connection would delay the shutdown.
      Connection: 'close',
      // The header `X-Accel-Buffering: no` turns off response buffering in proxies such as nginx, because buffering
      // would delay events.
      'X-Accel-Buffering': 'no',
    });
    response.write(`retry: ${RETRY_MS}\n\n`);
    this.heartbeat = setInterval(() => this.write(': ping\n\n'), options.heartbeatMs).unref();
    response.on('close', () => clearInterval(this.heartbeat));
  }

  event(batch: Batch, index: number): void {
    if (batch.firstSequence + index >= this.options.fromSequence) {
      this.options.onEvent();
      const id = encodeCursor({ position: batch.position, index });
      this.write(`id: ${id}\nevent: ${batch.events[index]?.type}\ndata: ${envelopeText(batch, index)}\n\n`);
    }
    if (this.options.endsWith(batch, index)) this.end();
  }

  /** Sends a server-sent event that is not an event of the journal. */
  sendControlEvent(type: string, data: object): void {
    this.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  }

  async drained(): Promise<void> {
    this.flush();
    if (!this.isOpen || !this.response.writableNeedDrain) return;
    await drained(this.response);
  }

  caughtUp(_subscriptionId: string | null, cursor: Cursor): void {
    this.sendControlEvent('replay.complete', { cursor: encodeCursor(cursor) });
  }

  failed(error: unknown): void {
    this.options.report(error);
    this.end();
  }

  end(): void {
    clearInterval(this.heartbeat);
    this.flush();
    if (this.isOpen) this.response.end();
  }

  private get isOpen(): boolean {
    return !this.response.writableEnded && !this.response.destroyed;
  }

  /**
   * Collects text until the end of the current turn of the event loop, so that the thousands of events of one commit
   * become one write. The check for slow readers ignores the collected text.
   */
  private write(text: string): void {
    if (this.pending.push(text) === 1) setImmediate(() => this.flush());
  }

  private flush(): void {
    const text = this.pending.join('');
    this.pending = [];
    if (!this.isOpen || text === '') return;
    // Drops the events of a slow reader. After the reader reconnects with its last event id, it receives them from the
    // journal.
    if (this.response.writableLength <= this.options.sendBufferBytes) this.response.write(text);
    else {
      this.options.onSlow();
      this.response.destroy();
    }
  }
}
