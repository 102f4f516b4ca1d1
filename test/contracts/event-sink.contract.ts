import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EventSink, SinkMessage } from '../../src/event-sinks/index.js';

/** A message that arrived at the receiver. */
export interface ArrivedMessage {
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** An event sink under test, and the receiver to which the sink sends messages. */
export interface SinkUnderTest {
  readonly sink: EventSink;
  /** A URL of the receiver. The method `check` of the sink accepts this URL. */
  readonly url: URL;
  /** A URL that the method `check` of the sink refuses, although the URL has the scheme of the sink. */
  readonly refusedUrl: URL;
  /** Returns the messages that arrived at the receiver, in the order of arrival. */
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

    it('an event sink accepts a supported URL, and gives a reason why it refuses an unsupported URL', () => {
      expect(tested.sink.check(tested.url)).toBeNull();
      expect(tested.sink.check(tested.refusedUrl)).toEqual(expect.stringMatching(/./));
    });

    it('an event sink delivers the headers and body of a message before `send` resolves', async () => {
      expect(await tested.sink.send(message('first'), signal)).toMatchObject({ error: null });
      const { headers, body } = message('first');
      expect(await tested.arrived()).toEqual([{ headers: expect.objectContaining(headers), body }]);
    });

    it('an event sink delivers messages in the order in which they are sent, even if two messages are equal', async () => {
      for (const id of ['second', 'third', 'third']) await tested.sink.send(message(id), signal);
      const ids = (await tested.arrived()).map(({ headers }) => headers['webhook-id']);
      expect(ids).toEqual(['first', 'second', 'third', 'third']);
    });

    it('an event sink delivers each of 20 concurrent messages once', async () => {
      const ids = Array.from({ length: 20 }, (_, index) => `parallel ${index}`);
      const results = await Promise.all(ids.map((id) => tested.sink.send(message(id), signal)));
      expect(results.every(({ error }) => error === null)).toBe(true);
      const arrived = (await tested.arrived()).map(({ headers }) => String(headers['webhook-id']));
      expect(arrived.filter((id) => id.startsWith('parallel')).toSorted()).toEqual(ids.toSorted());
    });

    it('an event sink reports an error if the receiver is unavailable', async () => {
      await tested.stopReceiver();
      const failure = await tested.sink.send(message('lost'), signal).then(
        ({ error }) => error,
        (error: unknown) => String(error),
      );
      expect(failure).toEqual(expect.stringMatching(/./));
    });
  });
}
