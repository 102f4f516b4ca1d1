import type { ServerResponse } from 'node:http';
import { type Batch, type Cursor, encodeCursor, envelopeText } from '../journal/index.js';
import type { FeedSink } from './feed-reader.js';

/** Milliseconds after which a browser comes back by itself. */
const RETRY_MS = 1_000;

export interface EventStreamOptions {
  readonly heartbeatMs: number;
  /** Bytes that may wait for a reader when more comes; with more it is too slow. */
  readonly sendBufferBytes: number;
  /** Events before this sequence are left out. */
  readonly fromSequence: number;
  /** Whether the stream ends with a final event. */
  readonly endsWith: (batch: Batch, index: number) => boolean;
  /** Called with each event that is written. */
  readonly onEvent: () => void;
  /** Called when the reader leaves too much unread and is closed. */
  readonly onSlow: () => void;
  readonly report: (error: unknown) => void;
}

/** One `text/event-stream` answer: the event's cursor as `id`, its type as `event`, the envelope as `data`. */
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
      // Kept alive after its end it would hold up the stop of the server.
      Connection: 'close',
      // Proxies that gather an answer before they pass it on would hold events back.
      'X-Accel-Buffering': 'no',
    });
    response.write(`retry: ${RETRY_MS}\n\n`);
    this.heartbeat = setInterval(() => this.write(': ping\n\n'), options.heartbeatMs).unref();
    response.on('close', () => clearInterval(this.heartbeat));
  }

  event(batch: Batch, index: number): void {
    if (batch.firstSequence + index < this.options.fromSequence) return;
    this.options.onEvent();
    const id = encodeCursor({ position: batch.position, index });
    this.write(`id: ${id}\nevent: ${batch.events[index]?.type}\ndata: ${envelopeText(batch, index)}\n\n`);
    if (this.options.endsWith(batch, index)) this.end();
  }

  /** Something that is no event of the journal. */
  notice(type: string, data: object): void {
    this.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  }

  async drained(): Promise<void> {
    this.flush();
    if (!this.isOpen || !this.response.writableNeedDrain) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        this.response.off('drain', done).off('close', done);
        resolve();
      };
      this.response.on('drain', done).on('close', done);
    });
  }

  caughtUp(_subscriptionId: string | null, cursor: Cursor): void {
    this.notice('replay.complete', { cursor: encodeCursor(cursor) });
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
   * What comes in one turn of the event loop is written at once, however much it is: one commit may hold thousands of
   * events. Too slow is a reader for whom too much waits from before.
   */
  private write(text: string): void {
    if (this.pending.push(text) === 1) setImmediate(() => this.flush());
  }

  private flush(): void {
    const text = this.pending.join('');
    this.pending = [];
    if (!this.isOpen || text === '') return;
    // It comes back with the last id it has read; nothing is lost.
    if (this.response.writableLength <= this.options.sendBufferBytes) this.response.write(text);
    else {
      this.options.onSlow();
      this.response.destroy();
    }
  }
}
