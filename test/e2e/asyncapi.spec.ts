import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EVENT_TYPES } from '../../src/execution-events/index.js';
import type { JsonObject } from '../../src/expressions/index.js';
import { SocketClient, type SocketMessage } from '../support/socket-client.js';
import { TestService } from '../support/service.js';

interface AsyncApi {
  readonly asyncapi: string;
  readonly servers: { readonly service: { readonly host: string } };
  readonly channels: {
    readonly events: { readonly messages: Readonly<Record<string, { readonly payload: JsonObject }>> };
  };
}

/** Executions of these workflows cause all event types except pauses, recoveries and progress of nodes. */
const WORKFLOWS = [
  {
    name: 'skips, goes on after a failure, is long and waits',
    nodes: [
      { id: 'long', type: 'set', with: { value: 'x'.repeat(20_000) } },
      { id: 'skipped', type: 'set', if: 'false', with: { value: 1 } },
      { id: 'after', type: 'set', needs: ['skipped'], with: { value: 1 } },
      {
        id: 'broken',
        type: 'fail',
        with: { message: 'on purpose', details: { a: 1 } },
        on_error: 'continue',
      },
      { id: 'nap', type: 'delay', with: { seconds: 6 } },
    ],
  },
  {
    name: 'tries again and fails',
    nodes: [
      {
        id: 'refused',
        type: 'http',
        with: { url: 'http://unknown.invalid/' },
        retry: { max_attempts: 2, initial_delay_ms: 10, jitter: false },
      },
    ],
  },
  { name: 'is cancelled', nodes: [{ id: 'nap', type: 'delay', with: { seconds: 60 } }] },
];

describe('the AsyncAPI document', () => {
  let service: TestService;
  let document: AsyncApi;
  let client: SocketClient;

  beforeAll(async () => {
    service = await TestService.start();
    document = (await service.get<AsyncApi>('/asyncapi.json')).body;
    client = await SocketClient.authenticated(new URL(service.baseUrl).host, service.key);
  });

  afterAll(async () => {
    client.socket.terminate();
    await service.stop();
  });

  it('GET /asyncapi.json requires an API key, and the document contains the host of the server', async () => {
    expect((await service.get('/asyncapi.json', { key: null })).status).toBe(401);
    expect(document.asyncapi).toBe('3.0.0');
    expect(document.servers.service.host).toBe(new URL(service.baseUrl).host);
  });

  it('the AsyncAPI document describes every event type', () => {
    expect(Object.keys(document.channels.events.messages)).toEqual(expect.arrayContaining([...EVENT_TYPES]));
  });

  it('every message that a socket sends matches its schema in the AsyncAPI document', async () => {
    const ids: string[] = [];
    for (const workflow of WORKFLOWS) {
      const { body } = await service.post('/v1/workflows', workflow);
      const started = await service.post(`/v1/workflows/${body.id}/executions`, {
        input: { text: 'y'.repeat(20_000) },
      });
      ids.push(started.body.id);
    }
    client.send({ type: 'ping' });
    client.send({ type: 'nonsense' });
    client.send({ type: 'subscribe', id: 'all', filter: {}, after: '0' });
    await client.next('replay.complete');
    await service.post(`/v1/executions/${ids[2]}/cancel`, { reason: 'Enough.' });
    const isOver = (): boolean =>
      ids.every((id) =>
        client.events.some(
          (event) =>
            event['execution_id'] === id &&
            ['workflow.completed', 'workflow.failed', 'workflow.cancelled'].includes(event.type),
        ),
      );
    while (!isOver()) await new Promise((resolve) => setTimeout(resolve, 50));
    client.send({ type: 'unsubscribe', id: 'all' });
    await client.next('unsubscribed');

    expect(client.received.flatMap((message) => faultsOf(document, message))).toEqual([]);
    const seen = new Set(client.received.map(({ type }) => type));
    // Three event types are missing, because the test pauses no execution and kills no process, and its nodes report
    // no progress.
    const unseen = EVENT_TYPES.filter((type) => !seen.has(type));
    expect(unseen).toEqual(['workflow.paused', 'workflow.recovered', 'workflow.node.progress']);
  });
});

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);

function faultsOf({ channels }: AsyncApi, message: SocketMessage): readonly string[] {
  const described = channels.events.messages[message.type];
  if (described === undefined) return [`${message.type} is not described`];
  const validate = ajv.compile(described.payload);
  const isValid: boolean = validate(message);
  if (isValid) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message: text, params }) =>
      `${message.type}${instancePath} ${text} ${JSON.stringify(params)}`,
  );
}
