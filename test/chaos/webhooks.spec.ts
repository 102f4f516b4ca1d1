import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { databaseKinds, databaseUrl } from '../support/database.js';
import { ServiceProcess } from '../support/service-process.js';
import { until } from '../support/until.js';
import { accept, type Responder, WebhookReceiver } from '../support/webhook-receiver.js';

const LONG = process.env['CHAOS'] === 'long';
const ROUNDS = LONG ? 20 : 4;
const STARTS_A_ROUND = LONG ? 50 : 15;
const ROUND_MS = 1_500;
const PAGE = 100;

interface Event {
  readonly id: string;
}
interface List<T> {
  readonly data: readonly T[];
  readonly pagination: { readonly next_cursor?: string };
}

/** Behaviors of the webhook receiver, one per round: status 500, a closed connection, no response, and success. */
const REACTIONS: readonly Responder[] = [
  (response) => void response.writeHead(500).end('broken'),
  (response) => void response.socket?.destroy(),
  () => undefined,
  accept,
];

const kinds = (await databaseKinds()).filter(({ name }) => name === 'postgres');

describe.each(kinds)('a webhook served by three processes that are killed, on $name', ({ create }) => {
  it(
    'a webhook delivers all events of an execution in order despite a failing receiver and killed processes',
    { timeout: 400_000 },
    async () => {
      const database = await create();
      const receiver = await WebhookReceiver.start();
      const environment = {
        DATABASE_URL: databaseUrl(database.settings),
        EGRESS_ALLOW: receiver.address,
        SECRETS_KEY: 'a key of tests',
      };
      const first = new ServiceProcess(environment);
      const others = [1, 2].map(() => new ServiceProcess(environment, first.token));
      try {
        for (const one of [first, ...others]) await one.start();
        const call = async <T>(method: string, path: string, body?: object): Promise<T> => {
          const response = await fetch(first.url + path, {
            method,
            headers: { authorization: `Bearer ${first.token}`, 'content-type': 'application/json' },
            ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          });
          if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
          return (await response.json()) as T;
        };
        const webhook = await call<{ readonly id: string }>('POST', '/v1/webhooks', { url: receiver.url() });
        const { id: workflowId } = await call<{ readonly id: string }>('POST', '/v1/workflows', {
          name: 'Observed',
          nodes: [
            { id: 'one', type: 'set', with: { value: 1 } },
            { id: 'two', type: 'set', needs: ['one'], with: { value: 2 } },
          ],
        });
        const executions: string[] = [];
        for (let round = 0; round < ROUNDS; round += 1) {
          receiver.respond = REACTIONS[round % REACTIONS.length] ?? accept;
          for (let start = 0; start < STARTS_A_ROUND; start += 1)
            executions.push(
              (await call<{ readonly id: string }>('POST', `/v1/workflows/${workflowId}/executions`, {})).id,
            );
          await pause(ROUND_MS);
          const victim = others[round % others.length];
          await victim?.kill();
          await victim?.start();
        }
        receiver.respond = accept;
        await until('the end of every execution', async () => {
          const left = await call<List<Event>>('GET', '/v1/executions?status=queued&status=running');
          return left.data.length === 0;
        });
        const expected = new Map<string, readonly string[]>();
        for (const id of executions) {
          const { data } = await call<List<Event>>('GET', `/v1/executions/${id}/events?limit=${PAGE}`);
          expected.set(
            id,
            data.map((event) => event.id),
          );
        }
        /** Returns the ids of the events that arrived at the receiver, by execution, in the order of first arrival. */
        const arrived = (): ReadonlyMap<string, readonly string[]> => {
          const ids = new Map<string, string[]>();
          for (const { event } of receiver.received) {
            const own = ids.get(event.execution_id) ?? [];
            ids.set(event.execution_id, own);
            if (!own.includes(event.id)) own.push(event.id);
          }
          return ids;
        };
        await until(
          'the delivery of every event',
          async () => {
            // The next retries are due only in a few minutes. Pausing and resuming the webhook makes the
            // retries due immediately.
            await call('POST', `/v1/webhooks/${webhook.id}/pause`);
            await call('POST', `/v1/webhooks/${webhook.id}/resume`, {});
            const found = arrived();
            return executions.every((id) => found.get(id)?.length === expected.get(id)?.length);
          },
          { limitMs: 240_000, everyMs: 2_000 },
        );
        const found = arrived();
        const faults = executions.filter((id) => found.get(id)?.join() !== expected.get(id)?.join());
        const total = [...expected.values()].flat().length;
        process.stdout.write(
          `${total} events of ${executions.length} executions, ${receiver.received.length} requests, ${ROUNDS} kills\n`,
        );
        expect(faults).toEqual([]);
      } finally {
        for (const one of [first, ...others]) await one.dispose();
        await receiver.stop();
        await database.drop();
      }
    },
  );
});
