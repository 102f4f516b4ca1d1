import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds, databaseUrl, type TestDatabase } from '../support/database.js';
import { until } from '../support/until.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { startWholeService, type WholeService } from '../support/whole-service.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

interface Delivery {
  readonly status: string;
  readonly attempts: readonly { readonly at: string }[];
}

describe.each(await databaseKinds())('the test clock and webhooks, on $name', ({ create }) => {
  let database: TestDatabase;
  let receiver: WebhookReceiver;
  let service: WholeService;

  beforeAll(async () => {
    database = await create();
    receiver = await WebhookReceiver.start();
    service = await startWholeService({
      DATABASE_URL: databaseUrl(database.settings),
      DEFAULT_PLAN: 'enterprise',
      EGRESS_ALLOW: receiver.address,
      SECRETS_KEY: 'a key of tests',
    });
  });
  afterAll(async () => {
    await service?.close();
    await receiver?.stop();
    await database?.drop();
  });

  async function call<Body>(method: string, path: string, body?: object): Promise<Body> {
    const response = await fetch(service.url + path, {
      method,
      headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return (await response.json()) as Body;
  }

  it('advancing the test clock by one hour triggers each webhook retry at its due time', async () => {
    const failures = 3;
    receiver.respond = (response) =>
      void response.writeHead(receiver.received.length > failures ? 204 : 500).end();
    const webhook = await call<{ id: string }>('POST', '/v1/webhooks', {
      url: receiver.url(),
      events: ['workflow.completed'],
    });
    const workflow = await call<{ id: string }>('POST', '/v1/workflows', {
      name: 'Observed',
      nodes: [{ id: 'text', type: 'set', with: { value: 1 } }],
    });
    await call('POST', `/v1/workflows/${workflow.id}/executions?wait=30`, {});
    const logged = async (): Promise<Delivery | undefined> =>
      (await call<{ data: Delivery[] }>('GET', `/v1/webhooks/${webhook.id}/deliveries`)).data[0];
    await until('the delivery in the log', logged);

    await call('POST', '/v1/test-clock', { advance_seconds: 3_600 });
    const delivery = await until('the end of the delivery', async () => {
      const found = await logged();
      return found?.status === 'delivered' && found;
    });
    const times = delivery.attempts.map(({ at }) => Date.parse(at));
    expect(times).toHaveLength(failures + 1);
    const waits = times.slice(1).map((at, index) => at - (times[index] ?? 0));
    // The test clock advances with real time while the test runs. A retry can therefore be up to two minutes
    // later than its due time.
    for (const [index, due] of [5 * SECOND, 5 * MINUTE, 30 * MINUTE].entries()) {
      expect(waits[index]).toBeGreaterThanOrEqual(due);
      expect(waits[index]).toBeLessThan(due + 2 * MINUTE);
    }
  });
});
