import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Span } from './span.js';
import { SpanQueue } from './span-queue.js';
import { type SpanBody, type SpanSink, SpansRejectedError } from './span-sink.js';

const SPAN: Span = {
  traceId: '0af7651916cd43dd8448eb211c80319c',
  spanId: 'b7ad6b7169203331',
  parentSpanId: null,
  hasRemoteParent: false,
  traceState: null,
  name: 'set a',
  kind: 'attempt',
  startedAt: 0,
  endedAt: 0,
  attributes: '',
  links: [],
  events: [],
  error: null,
};
const spans = (count: number): readonly Span[] => Array.from({ length: count }, () => SPAN);

class CountingBody implements SpanBody {
  spans = 0;

  add({ length }: readonly Span[]): void {
    this.spans += length;
  }

  encoded(): Uint8Array {
    return Buffer.alloc(0);
  }
}

/** A span sink whose collector responds only when the test calls `answer`. */
class ManualSink implements SpanSink {
  /** Number of spans in each request that the collector received, in the order of the requests. */
  readonly requests: number[] = [];
  private respond: (error?: Error) => void = () => undefined;

  body(): SpanBody {
    return new CountingBody();
  }

  send(body: SpanBody): Promise<void> {
    this.requests.push(body.spans);
    return new Promise((resolve, reject) => {
      this.respond = (error) => (error === undefined ? resolve() : reject(error));
    });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  async answer(error?: Error): Promise<void> {
    this.respond(error);
    await vi.advanceTimersByTimeAsync(0);
  }
}

describe('SpanQueue', () => {
  let sink: ManualSink;
  let queue: SpanQueue;
  beforeEach(() => {
    vi.useFakeTimers();
    sink = new ManualSink();
    queue = new SpanQueue(sink);
  });
  afterEach(() => vi.useRealTimers());

  it('the span queue sends 512 spans immediately, and fewer spans after one second', async () => {
    queue.add(1, spans(512));
    queue.add(2, spans(3));
    expect(sink.requests).toEqual([512]);
    await sink.answer();
    expect(sink.requests).toEqual([512]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(sink.requests).toEqual([512, 3]);
  });

  it('the span queue sends the spans that were added during a request together in the next request', async () => {
    queue.add(1, spans(512));
    for (let position = 2; position < 400; position += 1) queue.add(position, spans(2));
    await sink.answer();
    await sink.answer();
    expect(sink.requests).toEqual([512, 512]);
  });

  it('`SpanQueue.oldest` is the journal position of the oldest span that the collector has not accepted', async () => {
    queue.add(3, spans(512));
    queue.add(4, spans(1));
    expect(queue.oldest).toBe(3);
    await sink.answer();
    expect(queue.oldest).toBe(4);
  });

  it('the span queue sends a failed request again after a delay, before later spans', async () => {
    queue.add(1, spans(512));
    queue.add(2, spans(600));
    await sink.answer(new Error('unreachable'));
    expect(queue.oldest).toBe(1);
    expect(sink.requests).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(500);
    await sink.answer();
    expect(sink.requests).toEqual([512, 512, 600]);
  });

  it('the span queue sends later spans even if the collector rejects the retry of an earlier request', async () => {
    queue.add(1, spans(512));
    await sink.answer(new Error('unreachable'));
    await vi.advanceTimersByTimeAsync(500);
    await sink.answer(new SpansRejectedError(new Error('401')));
    queue.add(2, spans(512));
    expect(sink.requests).toEqual([512, 512, 512]);
  });

  it('`flush` of the span queue sends all spans, and returns whether the collector accepted them', async () => {
    queue.add(1, spans(512));
    queue.add(2, spans(1));
    const flushed = queue.flush();
    await sink.answer();
    await sink.answer();
    expect(await flushed).toBe(true);
    queue.add(3, spans(1));
    const failed = queue.flush();
    await sink.answer(new Error('unreachable'));
    expect(await failed).toBe(false);
    expect(sink.requests).toEqual([512, 1, 1]);
  });

  it('the span queue drops the oldest spans if more than 50,000 wait', async () => {
    queue.add(1, spans(512));
    for (let position = 2; position < 60; position += 1) queue.add(position, spans(1_000));
    expect(queue.oldest).toBe(1);
    await sink.answer();
    expect(queue.oldest).toBeGreaterThan(25);
  });
});
