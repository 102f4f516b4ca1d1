import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EventSink, SinkMessage } from '../../src/event-sinks/index.js';

/** A message as it arrived at the receiver. */
export interface ArrivedMessage {
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** An event sink, and a receiver for its messages. */
export interface SinkUnderTest {
  readonly sink: EventSink;
  /** A URL of the receiver. The sink's `check` accepts it. */
  readonly url: URL;
  /** A URL with the scheme of the sink that its `check` refuses. */
  readonly refusedUrl: URL;
  /** Messages that arrived, in the order of arrival. */
  readonly arrived: () => Promise<readonly ArrivedMessage[]>;
  /** Makes the receiver unavailable. */
  readonly stopReceiver: () => Promise<void>;
  readonly close: () => Promise<void>;
}

const BODY = '{"id":"1","data":{"text":"Grüße\\n"}}';

/** Tests that every implementation of `EventSink` must pass. */
export function describeEventSink(name: string, open: () => Promise<SinkUnderTest>): void {
  describe(`the event sink ${name}`, () => {
    const { signal } = new AbortController();
    let tested: SinkUnderTest;

    beforeAll(async () => {
      tested = await open();
    });
    afterAll(() => tested?.close());

    function message(id: string): SinkMessage {
      const headers = {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': '1763980000',
        'webhook-signature': 'v1,c2lnbmF0dXJl',
        traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      };
      return { url: tested.url, id, type: 'workflow.completed', executionId: null, headers, body: BODY };
    }

    it('accepts a URL that the sink supports, and gives a reason for refusing an unsupported URL', () => {
      expect(tested.sink.check(tested.url)).toBeNull();
      expect(tested.sink.check(tested.refusedUrl)).toEqual(expect.stringMatching(/./));
    });

    it('delivers a message with headers and body to the receiver before `send` resolves', async () => {
      expect(await tested.sink.send(message('first'), signal)).toMatchObject({ error: null });
      const { headers, body } = message('first');
      expect(await tested.arrived()).toEqual([{ headers: expect.objectContaining(headers), body }]);
    });

    it('keeps the order of messages that are sent one after the other, even if some are equal', async () => {
      for (const id of ['second', 'third', 'third']) await tested.sink.send(message(id), signal);
      const ids = (await tested.arrived()).map(({ headers }) => headers['webhook-id']);
      expect(ids).toEqual(['first', 'second', 'third', 'third']);
    });

    it('delivers each of many concurrently sent messages once', async () => {
      const ids = Array.from({ length: 20 }, (_, index) => `parallel ${index}`);
      const results = await Promise.all(ids.map((id) => tested.sink.send(message(id), signal)));
      expect(results.every(({ error }) => error === null)).toBe(true);
      const arrived = (await tested.arrived()).map(({ headers }) => String(headers['webhook-id']));
      expect(arrived.filter((id) => id.startsWith('parallel')).toSorted()).toEqual(ids.toSorted());
    });

    it('rejects `send` when the receiver is unavailable', async () => {
      await tested.stopReceiver();
      const failure = await tested.sink.send(message('lost'), signal).then(
        ({ error }) => error,
        (error: unknown) => String(error),
      );
      expect(failure).toEqual(expect.stringMatching(/./));
    });
  });
}
