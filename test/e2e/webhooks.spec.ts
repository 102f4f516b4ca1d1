import type { ServerResponse } from 'node:http';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { executionTraceHeaders } from '../../src/trace-context/index.js';
import { FirstAdminService } from '../../src/auth/index.js';
import { DeliveryStore } from '../../src/webhooks/delivery-store.js';
import { WebhookRunner } from '../../src/webhooks/index.js';
import { ClockedService, type ClockedAnswer, code } from '../support/clocked-service.js';
import { databaseKinds, type TestDatabase } from '../support/database.js';
import { ManualClock } from '../support/manual-clock.js';
import { until } from '../support/until.js';
import { accept, type Received, type Responder, WebhookReceiver } from '../support/webhook-receiver.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const withStatus =
  (status: number, body = ''): Responder =>
  (response) =>
    void response.writeHead(status).end(body);

/**
 * Returns whether a request is signed with the secret. Ignores the age of the signature, because the test clock is ahead
 * of real time.
 */
function isSignedBy(secret: string, { headers, body }: Received): boolean {
  const at = new Date(Number(headers['webhook-timestamp']) * SECOND);
  const expected = new StandardWebhook(secret).sign(String(headers['webhook-id']), at, body);
  return String(headers['webhook-signature']).split(' ').includes(expected);
}

describe.each(await databaseKinds())('webhooks on $name', ({ create }) => {
  let database: TestDatabase;
  let clock: ManualClock;
  let service: ClockedService;
  let receiver: WebhookReceiver;
  let headers: Readonly<Record<string, string>>;
  let workflowId: string;
  let path: string;
  let paths = 0;

  beforeAll(async () => {
    database = await create();
    receiver = await WebhookReceiver.start();
    clock = new ManualClock();
    service = await ClockedService.start(
      { EGRESS_ALLOW: receiver.address, SECRETS_KEY: 'a key of tests' },
      database.settings,
      clock,
    );
    const { secret } = await service.app.get(FirstAdminService).create({ email: 'admin@example.com' });
    headers = { authorization: `Bearer ${secret}` };
    workflowId = await workflow([{ id: 'text', type: 'set', with: { value: '{{ input }}' } }]);
  });
  afterAll(async () => {
    await service?.close();
    await receiver?.stop();
    await database?.drop();
  });
  beforeEach(async () => {
    for (const { id } of (await call('GET', '/v1/webhooks?limit=100')).body.data)
      await call('DELETE', `/v1/webhooks/${id}`);
    receiver.respond = accept;
    path = `/${(paths += 1)}`;
  });

  function call(
    method: string,
    target: string,
    body?: unknown,
    more: Readonly<Record<string, string>> = {},
  ): Promise<ClockedAnswer> {
    return service.call(method, target, body, { ...headers, ...more });
  }

  async function workflow(nodes: readonly object[]): Promise<string> {
    const { status, body } = await call('POST', '/v1/workflows', { name: 'Observed', nodes });
    expect(status).toBe(201);
    return body.id;
  }

  async function webhook(fields: object = {}): Promise<{ readonly id: string; readonly secret: string }> {
    const { status, body } = await call('POST', '/v1/webhooks', { url: receiver.url(path), ...fields });
    expect([status, body]).toEqual([201, expect.anything()]);
    return body;
  }

  async function execute(id = workflowId): Promise<string> {
    const { status, body } = await call('POST', `/v1/workflows/${id}/executions?wait=30`, {
      input: { n: 1 },
    });
    expect(status).toBe(201);
    return body.id;
  }

  /** The events of an execution, as the API returns them. */
  async function eventsOf(executionId: string): Promise<readonly { readonly id: string }[]> {
    return (await call('GET', `/v1/executions/${executionId}/events?limit=100`)).body.data;
  }

  /** Advances the clock and makes the service check for due deliveries. */
  function advance(ms: number): void {
    clock.advance(ms);
    service.app.get(WebhookRunner, { strict: false }).changed();
  }

  function arrived(count: number): Promise<readonly Received[]> {
    return until(`request ${count} at ${path}`, async () => {
      const found = receiver.at(path);
      return found.length >= count && found;
    });
  }

  async function deliveries(id: string, query = ''): Promise<ClockedAnswer['body'][]> {
    return (await call('GET', `/v1/webhooks/${id}/deliveries?limit=100&order=asc${query}`)).body.data;
  }

  /** Waits until `accepts` returns true for the delivery log of a webhook. @returns the log */
  function logged(
    id: string,
    what: string,
    accepts: (all: ClockedAnswer['body'][]) => boolean,
  ): Promise<ClockedAnswer['body'][]> {
    return until(what, async () => {
      const all = await deliveries(id);
      return accepts(all) && all;
    });
  }

  async function read(id: string): Promise<ClockedAnswer['body']> {
    return (await call('GET', `/v1/webhooks/${id}`)).body;
  }

  describe('creating a webhook', () => {
    it('creating a webhook returns every documented field and the secret; reading the webhook returns no secret', async () => {
      const {
        status,
        body,
        headers: given,
      } = await call('POST', '/v1/webhooks', {
        url: receiver.url(path),
        description: 'Orders',
        events: ['workflow.node.*', 'workflow.failed'],
        workflow_ids: [workflowId],
        filter: 'event.sequence > 1',
        format: 'cloudevents',
      });
      expect(status).toBe(201);
      expect(given.get('location')).toBe(`/v1/webhooks/${body.id}`);
      expect(given.get('etag')).toBe('"1"');
      const { secret, ...rest } = body;
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
      expect(rest).toEqual({
        id: expect.any(String),
        project_id: expect.any(String),
        url: receiver.url(path),
        description: 'Orders',
        events: ['workflow.node.*', 'workflow.failed'],
        workflow_ids: [workflowId],
        filter: 'event.sequence > 1',
        format: 'cloudevents',
        status: 'active',
        status_reason: null,
        failing_since: null,
        lag_events: 0,
        delivered_total: 0,
        failed_total: 0,
        created_at: expect.any(String),
        updated_at: expect.any(String),
      });
      expect(await read(body.id)).toEqual(rest);
      expect((await call('GET', '/v1/webhooks')).body.data).toEqual([rest]);
    });

    it.each([
      ['no URL', { url: undefined }, 'url'],
      ['a relative URL', { url: '/events' }, 'url'],
      ['a scheme without a sink', { url: 'ftp://example.com/' }, 'url'],
      ['a private address', { url: 'http://10.0.0.1/' }, 'url'],
      ['a loopback IPv6 address', { url: 'http://[::1]/' }, 'url'],
      ['a metadata address in hexadecimal', { url: 'http://0xa9fea9fe/' }, 'url'],
      ['a user name in the URL', { url: 'https://me:secret@example.com/' }, 'url'],
      ['an unknown event type', { events: ['workflow.completed', 'workflow.done'] }, 'events[1]'],
      ['an empty list of event types', { events: [] }, 'events'],
      ['a filter that does not parse', { filter: 'event.type ==' }, 'filter'],
      ['a filter with an unknown root', { filter: 'nodes.a.output == 1' }, 'filter'],
      [
        'a workflow that does not exist',
        { workflow_ids: ['019aaf3e-3c1c-7c34-9f6e-0f2a3b4c5d6e'] },
        'workflow_ids[0]',
      ],
      ['an unknown format', { format: 'xml' }, 'format'],
      ['an unknown field', { secret: 'mine' }, 'secret'],
    ])('the service rejects a new webhook with an invalid or missing field: %s', async (_, fields, field) => {
      const answer = await call('POST', '/v1/webhooks', { url: receiver.url(), ...fields });
      expect([answer.status, answer.body.error?.details?.field]).toEqual([400, field]);
    });

    it('a request with a repeated Idempotency-Key returns the first webhook without its secret', async () => {
      const key = { 'idempotency-key': `create${path}` };
      const body = { url: receiver.url(path) };
      const first = await call('POST', '/v1/webhooks', body, key);
      const second = await call('POST', '/v1/webhooks', body, key);
      expect([first.status, second.status]).toEqual([201, 201]);
      expect(second.headers.get('idempotent-replayed')).toBe('true');
      expect(second.body.id).toBe(first.body.id);
      expect(second.body.secret).toBeUndefined();
    });
  });

  it('a webhook delivers every event of an execution in order and with a valid signature', async () => {
    const { id, secret } = await webhook();
    const executionId = await execute();
    const events = await eventsOf(executionId);
    const requests = await arrived(events.length);
    expect(requests.map(({ event }) => event)).toEqual(events);
    for (const { headers: sent, body, event } of requests) {
      expect(sent['webhook-id']).toBe(event.id);
      expect(sent['content-type']).toBe('application/json');
      expect(new StandardWebhook(secret).verify(body, sent as Record<string, string>)).toEqual(event);
    }
    const all = await logged(id, 'log of every event', (found) => found.length === events.length);
    expect(all.map((one) => [one.event_id, one.status, one.attempts[0].status_code])).toEqual(
      events.map((event) => [event.id, 'delivered', 204]),
    );
    await until('a lag of 0 events', async () => (await read(id)).lag_events === 0);
    expect((await read(id)).delivered_total).toBe(events.length);
  });

  it('a webhook with the format `cloudevents` sends events as CloudEvents 1.0', async () => {
    await webhook({ format: 'cloudevents', events: ['workflow.completed'] });
    const executionId = await execute();
    const [request] = await arrived(1);
    expect(request?.headers['content-type']).toMatch(/^application\/cloudevents\+json/);
    const [completed] = (await eventsOf(executionId)).slice(-1);
    expect(JSON.parse(request?.body ?? '')).toMatchObject({
      specversion: '1.0',
      id: completed?.id,
      type: 'workflow.completed',
      subject: executionId,
      source: expect.stringMatching(/^\/projects\//),
      data: completed,
    });
  });

  it('a webhook sends only the events that its event types, workflows and filter select', async () => {
    const other = await workflow([{ id: 'text', type: 'set', with: { value: 1 } }]);
    await webhook({
      events: ['workflow.node.*', 'workflow.completed'],
      workflow_ids: [other],
      filter: `event.type != 'workflow.node.started'`,
    });
    await execute();
    const executionId = await execute(other);
    const requests = await arrived(2);
    expect(requests.map(({ event }) => [event.execution_id, event.type])).toEqual([
      [executionId, 'workflow.node.complete'],
      [executionId, 'workflow.completed'],
    ]);
  });

  it('a failed webhook delivery delays only later events of the same execution', async () => {
    const { id } = await webhook();
    let failing: string | undefined;
    receiver.respond = (response, { event }) => {
      failing ??= event.execution_id;
      withStatus(event.execution_id === failing ? 500 : 204, 'broken')(response, receiver.received[0]!);
    };
    const first = await execute();
    const second = await execute();
    const others = await eventsOf(second);
    await until('every event of the other execution', async () => {
      const ids = receiver.at(path).filter(({ event }) => event.execution_id === second);
      return ids.length === others.length;
    });
    const held = () => receiver.at(path).filter(({ event }) => event.execution_id === first);
    expect(held()).toHaveLength(1);
    const [delivery] = await logged(id, 'a retrying delivery', (all) =>
      all.some(({ status }) => status === 'retrying'),
    ).then((all) => all.filter(({ status }) => status === 'retrying'));
    expect(delivery.attempts).toEqual([
      {
        at: expect.any(String),
        status_code: 500,
        error: 'The endpoint responded with status 500.',
        response_body: 'broken',
        duration_ms: expect.any(Number),
      },
    ]);
    expect(Date.parse(delivery.next_attempt_at) - clock.now()).toBe(5 * SECOND);
    expect((await read(id)).lag_events).toBeGreaterThanOrEqual((await eventsOf(first)).length);

    receiver.respond = accept;
    advance(5 * SECOND);
    const events = await eventsOf(first);
    await until('the events that the webhook held back', async () => held().length === events.length + 1);
    expect(held().map(({ event }) => event.id)).toEqual([events[0], ...events].map((event) => event?.id));
    const all = await logged(id, 'no retrying delivery', (found) =>
      found.every(({ status }) => status === 'delivered'),
    );
    expect(all.find((one) => one.id === delivery.id)?.attempts).toHaveLength(2);
    expect(await read(id)).toMatchObject({ failing_since: null, failed_total: 0 });
  });

  it('after ten failed attempts, a webhook skips the event and delivers the next event of the execution', async () => {
    const { id } = await webhook({ events: ['workflow.node.complete', 'workflow.completed'] });
    receiver.respond = (response, { event }) =>
      withStatus(event.type === 'workflow.completed' ? 204 : 503)(response, receiver.received[0]!);
    await execute();
    const delays = [
      5 * SECOND,
      5 * MINUTE,
      30 * MINUTE,
      2 * HOUR,
      5 * HOUR,
      10 * HOUR,
      14 * HOUR,
      20 * HOUR,
      DAY,
    ];
    for (const [index, delay] of delays.entries()) {
      const [delivery] = await logged(
        id,
        `attempt ${index + 1}`,
        ([one]) => one?.attempts.length === index + 1,
      );
      expect(Date.parse(delivery.next_attempt_at) - clock.now()).toBe(delay);
      advance(delay);
    }
    const all = await logged(
      id,
      'two deliveries that ended',
      (found) => found.length === 2 && found.every(({ status }) => status !== 'retrying'),
    );
    expect(all.map(({ status, attempts }) => [status, attempts.length])).toEqual([
      ['failed', 10],
      ['delivered', 1],
    ]);
    expect(await read(id)).toMatchObject({ status: 'active', failed_total: 1, delivered_total: 1 });
  });

  it('a response with status 410 disables a webhook until a client resumes the webhook', async () => {
    const { id } = await webhook({ events: ['workflow.completed'] });
    receiver.respond = withStatus(410);
    const first = await execute();
    await until('the disabled webhook', async () => (await read(id)).status === 'disabled');
    expect((await read(id)).status_reason).toBe('The endpoint responded with 410 Gone.');
    const second = await execute();
    expect(code(await call('POST', `/v1/webhooks/${id}/pause`))).toBe('409 webhook_disabled');
    const audit = await call('GET', '/v1/audit-log?action=webhook.disabled');
    expect(audit.body.data[0]).toMatchObject({ action: 'webhook.disabled', target: { id } });

    receiver.respond = accept;
    const resumed = await call('POST', `/v1/webhooks/${id}/resume`);
    expect(resumed.body).toMatchObject({ status: 'active', status_reason: null, failing_since: null });
    const requests = await arrived(3);
    expect(requests.map(({ event }) => String(event.execution_id)).toSorted()).toEqual(
      [first, first, second].toSorted(),
    );
  });

  it('a webhook is disabled after all its delivery attempts have failed for 5 days', async () => {
    const { id } = await webhook({ events: ['workflow.completed'] });
    receiver.respond = withStatus(500);
    await execute();
    await until('the failing webhook', async () => (await read(id)).failing_since !== null);
    advance(5 * DAY);
    await until('the disabled webhook', async () => (await read(id)).status === 'disabled');
    expect((await read(id)).status_reason).toBe('All attempts failed for 5 days.');
  });

  it('a resumed webhook delivers the events that were recorded during its pause', async () => {
    const { id } = await webhook({ events: ['workflow.completed'] });
    expect((await call('POST', `/v1/webhooks/${id}/pause`)).body.status).toBe('paused');
    const executionId = await execute();
    await until('events in the lag of the webhook', async () => (await read(id)).lag_events > 0);
    expect(receiver.at(path)).toHaveLength(0);
    await call('POST', `/v1/webhooks/${id}/resume`);
    const [request] = await arrived(1);
    expect(request?.event.execution_id).toBe(executionId);
  });

  it('a webhook resumed with `skip: true` skips the events that occurred during the pause, but delivers earlier events', async () => {
    const { id } = await webhook({ events: ['workflow.completed'] });
    receiver.respond = withStatus(500);
    const before = await execute();
    await until('the failing webhook', async () => (await read(id)).failing_since !== null);
    await call('POST', `/v1/webhooks/${id}/pause`);
    await execute();
    receiver.respond = accept;
    await call('POST', `/v1/webhooks/${id}/resume`, { skip: true });
    const after = await execute();
    const requests = await arrived(3);
    expect(
      requests
        .slice(1)
        .map(({ event }) => String(event.execution_id))
        .toSorted(),
    ).toEqual([before, after].toSorted());
  });

  it('a delivery that ends after a resume with `skip: true` does not change which events the webhook skips', async () => {
    const { id } = await webhook({ events: ['workflow.completed'] });
    const unanswered: ServerResponse[] = [];
    receiver.respond = (response) => void unanswered.push(response);
    const before = await execute();
    await arrived(1);
    await call('POST', `/v1/webhooks/${id}/pause`);
    await execute();
    await call('POST', `/v1/webhooks/${id}/resume`, { skip: true });
    const after = await execute();
    receiver.respond = accept;
    for (const response of unanswered) response.writeHead(204).end();
    await until('an empty lag', async () => (await read(id)).lag_events === 0);
    const delivered = receiver.at(path).map(({ event }) => String(event.execution_id));
    expect(new Set(delivered)).toEqual(new Set([before, after]));
  });

  it('a paused webhook sends no further events of an execution after the retry in progress', async () => {
    const { id } = await webhook();
    receiver.respond = withStatus(500);
    const executionId = await execute();
    await until('the failing webhook', async () => (await read(id)).failing_since !== null);
    const unanswered: ServerResponse[] = [];
    receiver.respond = (response) => void unanswered.push(response);
    advance(MINUTE);
    await arrived(2);
    const reads = vi.spyOn(service.app.get(DeliveryStore, { strict: false }), 'find');
    await call('POST', `/v1/webhooks/${id}/pause`);
    await until('a read of the paused webhook', () => reads.mock.results.length > 0);
    await Promise.all(reads.mock.results.map(({ value }) => value as Promise<unknown>));
    reads.mockRestore();
    receiver.respond = accept;
    for (const response of unanswered) response.writeHead(204).end();
    await until('an idle runner', () => service.app.get(WebhookRunner, { strict: false }).isIdle);
    expect(receiver.at(path)).toHaveLength(2);
    await call('POST', `/v1/webhooks/${id}/resume`);
    const events = await eventsOf(executionId);
    await until('the other events', async () => (await read(id)).lag_events === 0);
    await arrived(1 + events.length);
  });

  it('a webhook replay sends earlier events again, from a given time or cursor', async () => {
    const { id } = await webhook({ events: ['workflow.completed'] });
    clock.advance(SECOND);
    await execute();
    clock.advance(SECOND);
    const since = new Date(clock.now()).toISOString();
    const last = await execute();
    const [first] = await arrived(2);
    await until('a lag of 0 events', async () => (await read(id)).lag_events === 0);
    const replay = await call('POST', `/v1/webhooks/${id}/replay`, { after: first?.event.cursor });
    expect(replay.status).toBe(202);
    const requests = await arrived(4);
    expect(requests.slice(2).map(({ event }) => event.id)).toEqual(
      requests.slice(0, 2).map(({ event }) => event.id),
    );
    expect((await call('POST', `/v1/webhooks/${id}/replay`, { since })).status).toBe(202);
    await until('the repeated event of the last execution', async () => receiver.at(path).length >= 5);
    expect(receiver.at(path)[4]?.event.execution_id).toBe(last);
  });

  it.each([
    ['neither a cursor nor a time', {}, 'after'],
    ['both a cursor and a time', { after: '1', since: '2026-01-01T00:00:00Z' }, 'after'],
    ['a malformed cursor', { after: '!' }, 'after'],
    ['a cursor in the future', { after: 'zzzzzzzzzz' }, 'after'],
    ['a time in the future', { since: '2999-01-01T00:00:00Z' }, 'since'],
  ])('the service rejects an invalid request for a webhook replay: %s', async (_, body, field) => {
    const { id } = await webhook();
    const answer = await call('POST', `/v1/webhooks/${id}/replay`, body);
    expect([answer.status, answer.body.error?.details?.field]).toEqual([400, field]);
  });

  it('a webhook can send a signed test event, and the delivery log contains the request', async () => {
    const { id, secret } = await webhook({ events: ['workflow.failed'] });
    const { status, body } = await call('POST', `/v1/webhooks/${id}/test`);
    expect([status, body.status, body.event_type, body.execution_id]).toEqual([
      200,
      'delivered',
      'webhook.test',
      null,
    ]);
    const [request] = await arrived(1);
    expect(request?.event).toMatchObject({
      id: body.event_id,
      type: 'webhook.test',
      data: { webhook_id: id },
    });
    expect(request !== undefined && isSignedBy(secret, request)).toBe(true);
    const detail = await call('GET', `/v1/webhooks/${id}/deliveries/${body.id}`);
    expect(detail.body.request.body).toBe(request?.body);
    expect(detail.body.request.headers['webhook-signature']).toBe(request?.headers['webhook-signature']);
  });

  it('a webhook counts a redirect as a failed delivery and does not follow the redirect', async () => {
    const { id } = await webhook();
    receiver.respond = (response) =>
      void response.writeHead(302, { location: receiver.url('/elsewhere') }).end();
    const { body } = await call('POST', `/v1/webhooks/${id}/test`);
    expect([body.status, body.attempts[0].status_code]).toEqual(['failed', 302]);
    expect(receiver.at('/elsewhere')).toHaveLength(0);
  });

  it('a webhook sends no request to a host name that resolves to a private address', async () => {
    const { id } = await webhook({ url: 'http://localhost:9/' });
    const { body } = await call('POST', `/v1/webhooks/${id}/test`);
    expect(body.attempts[0].error).toMatch(/EGRESS_ALLOW/);
    expect(receiver.at(path)).toHaveLength(0);
  });

  it('the delivery log of a webhook contains only the first 1,024 bytes of a response', async () => {
    const { id } = await webhook();
    receiver.respond = withStatus(200, 'x'.repeat(5_000));
    const { body } = await call('POST', `/v1/webhooks/${id}/test`);
    expect(body.attempts[0].response_body).toBe('x'.repeat(1_024));
  });

  it('during a secret rotation, a webhook signs requests with both the old and the new secret', async () => {
    const { id, secret } = await webhook();
    const rotated = await call('POST', `/v1/webhooks/${id}/rotate-secret`, { overlap_seconds: 60 });
    expect(rotated.body.secret).toMatch(/^whsec_/);
    const verifies = async (given: string): Promise<boolean> => {
      const before = receiver.at(path).length;
      await call('POST', `/v1/webhooks/${id}/test`);
      const [request] = (await arrived(before + 1)).slice(-1);
      return request !== undefined && isSignedBy(given, request);
    };
    expect([await verifies(secret), await verifies(rotated.body.secret)]).toEqual([true, true]);
    clock.advance(60 * SECOND);
    expect([await verifies(secret), await verifies(rotated.body.secret)]).toEqual([false, true]);
  });

  it('a webhook request continues the trace of the caller that started the execution', async () => {
    const { id } = await webhook({ events: ['workflow.completed'] });
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const trace = { traceparent: `00-${traceId}-b7ad6b7169203331-00`, tracestate: 'vendor=1' };
    const { body } = await call('POST', `/v1/workflows/${workflowId}/executions?wait=30`, {}, trace);
    const [continued] = await arrived(1);
    const expected = executionTraceHeaders({
      id: body.id,
      trace: { traceId, spanId: 'b7ad6b7169203331', isSampled: false, state: 'vendor=1' },
    });
    expect(expected.traceparent).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-00$`));
    expect(continued?.headers).toMatchObject({ ...expected });

    const [delivery] = await logged(id, 'the delivery', (all) => all.length === 1);
    await call('POST', `/v1/webhooks/${id}/deliveries/${delivery.id}/redeliver`);
    const [, repeated] = await arrived(2);
    expect(repeated?.headers).toMatchObject({ ...expected });

    const own = await execute();
    const [, , started] = await arrived(3);
    expect(started?.headers['traceparent']).toBe(executionTraceHeaders({ id: own, trace: null }).traceparent);
    expect(started?.headers['tracestate']).toBeUndefined();

    await call('POST', `/v1/webhooks/${id}/test`);
    const [, , , tested] = await arrived(4);
    expect(tested?.headers['traceparent']).toBeUndefined();
  });

  it('the delivery log keeps the attempts of concurrent redelivery requests', async () => {
    const { id } = await webhook({ events: ['workflow.completed'] });
    await execute();
    const [done] = await logged(id, 'a delivery', (all) => all.length === 1);
    const unanswered: ServerResponse[] = [];
    receiver.respond = (response) => void unanswered.push(response);
    const redeliver = () => call('POST', `/v1/webhooks/${id}/deliveries/${done.id}/redeliver`);
    const answers = [redeliver(), redeliver()];
    await arrived(3);
    const [first, second] = unanswered;
    first?.writeHead(500).end();
    second?.writeHead(204).end();
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200]);
    const [delivery] = await deliveries(id);
    expect(delivery.status).toBe('delivered');
    const codes = delivery.attempts.map((attempt: { readonly status_code: number }) => attempt.status_code);
    expect(codes.toSorted()).toEqual([204, 204, 500]);
  });

  it('a redelivery request resends a delivered event, and immediately sends an event that waits for a retry', async () => {
    const { id } = await webhook({ events: ['workflow.completed'] });
    await execute();
    const [done] = await logged(id, 'a delivery', (all) => all.length === 1);
    const again = await call('POST', `/v1/webhooks/${id}/deliveries/${done.id}/redeliver`);
    expect([again.status, again.body.attempts.length]).toEqual([200, 2]);
    expect((await arrived(2)).map(({ event }) => event.id)).toEqual([done.event_id, done.event_id]);

    receiver.respond = withStatus(500);
    await execute();
    const [, waiting] = await logged(id, 'a retry', (all) => all[1]?.status === 'retrying');
    receiver.respond = accept;
    const due = await call('POST', `/v1/webhooks/${id}/deliveries/${waiting.id}/redeliver`);
    expect(due.status).toBe(200);
    await logged(id, 'its delivery', (all) => all[1]?.status === 'delivered');
  });

  it('PATCH changes only the given fields of a webhook, and DELETE removes the webhook', async () => {
    const { id } = await webhook();
    const target = `/v1/webhooks/${id}`;
    const changed = await call('PATCH', target, { description: 'New', filter: 'event.sequence == 1' });
    expect([changed.status, changed.headers.get('etag')]).toEqual([200, '"2"']);
    expect(changed.body).toMatchObject({ description: 'New', filter: 'event.sequence == 1' });
    expect((await call('PATCH', target, { description: 'Old' }, { 'if-match': '"1"' })).status).toBe(412);
    expect((await call('PATCH', target, { url: null })).status).toBe(400);
    await execute();
    expect((await arrived(1)).map(({ event }) => event.sequence)).toEqual([1]);
    expect((await call('DELETE', target)).status).toBe(204);
    expect(code(await call('GET', target))).toBe('404 webhook_not_found');
    expect(code(await call('GET', `${target}/deliveries`))).toBe('404 webhook_not_found');
  });

  it('a webhook whose filter changes while its deliveries start sends only events that the new filter selects', async () => {
    const store = service.app.get(DeliveryStore, { strict: false });
    const changed = Promise.withResolvers<void>();
    const readRetries = store.retries.bind(store);
    const find = vi.spyOn(store, 'find');
    const retries = vi.spyOn(store, 'retries').mockImplementationOnce(async (id) => {
      await changed.promise;
      return readRetries(id);
    });
    try {
      const { id } = await webhook();
      await until('the start of the deliveries', () => retries.mock.calls.some(([of]) => of === id));
      await Promise.all(find.mock.results.map(({ value }) => value));
      await call('PATCH', `/v1/webhooks/${id}`, { filter: 'event.sequence == 1' });
    } finally {
      changed.resolve();
      find.mockRestore();
      retries.mockRestore();
    }
    await execute();
    await execute();
    expect((await arrived(2)).map(({ event }) => event.sequence)).toEqual([1, 1]);
  });

  it('the audit log records every change of a webhook, but not its signing secret', async () => {
    const { id, secret } = await webhook();
    await call('POST', `/v1/webhooks/${id}/pause`);
    await call('POST', `/v1/webhooks/${id}/rotate-secret`, {});
    await call('DELETE', `/v1/webhooks/${id}`);
    const { body } = await call('GET', `/v1/audit-log?target=${id}&order=asc`);
    expect(body.data.map(({ action }: { action: string }) => action)).toEqual([
      'webhook.created',
      'webhook.paused',
      'webhook.secret_rotated',
      'webhook.deleted',
    ]);
    expect(JSON.stringify(body)).not.toContain(secret);
  });

  it('a webhook event for an approval does not contain the approval links', async () => {
    await webhook({ events: ['workflow.node.waiting'] });
    const approval = await workflow([
      { id: 'ask', type: 'wait', with: { signal: 'go', approval: { title: 'Go?' } } },
    ]);
    await call('POST', `/v1/workflows/${approval}/executions`, {});
    const [request] = await arrived(1);
    expect(request?.body).not.toMatch(/approve_url|reject_url/);
  });
});
