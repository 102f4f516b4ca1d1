import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds, databaseUrl, type TestDatabase } from '../support/database.js';
import { ExecutionCalls } from '../support/execution-views.js';
import { newPerson } from '../support/people.js';
import { TestService } from '../support/service.js';
import { until } from '../support/until.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';

interface SystemView {
  readonly measured_at: string;
  readonly processes: readonly {
    readonly id: string;
    readonly pid: number;
    readonly role: string;
    readonly executions_held: number;
    readonly load: number | null;
  }[];
  readonly queue: { readonly runnable: number; readonly sleeping: number; readonly oldest_seconds: number };
  readonly commits: { readonly process_id: string; readonly count: number; readonly p95_ms: number | null };
  readonly feed: {
    readonly delay_seconds: number;
    readonly delayed_by: {
      readonly pid: number;
      readonly age_seconds: number | null;
      readonly query_started_at: string | null;
      readonly application: string | null;
    } | null;
  };
  readonly database: {
    readonly kind: string;
    readonly size_bytes: number;
    readonly tables: readonly { readonly name: string; readonly size_bytes: number }[] | null;
  };
  readonly webhooks: {
    readonly active: number;
    readonly behind: number;
    readonly failing: number;
    readonly max_lag_events: number;
    readonly failing_since: string | null;
    readonly endpoints: readonly {
      readonly id: string;
      readonly project_id: string;
      readonly url: string;
      readonly lag_events: number;
      readonly failing_since: string | null;
    }[];
  };
}

describe.each(await databaseKinds())('GET /v1/system on $name', (kind) => {
  let database: TestDatabase;
  let service: TestService;
  let receiver: WebhookReceiver;

  beforeAll(async () => {
    database = await kind.create();
    receiver = await WebhookReceiver.start();
    service = await TestService.start({
      database: database.settings,
      environment: { EGRESS_ALLOW: receiver.address, SECRETS_KEY: 'a key of tests' },
    });
    const calls = new ExecutionCalls(service);
    const { id } = await calls.start(
      await calls.workflow([{ id: 'a', type: 'delay', with: { seconds: 100 } }]),
    );
    await calls.until(id, ({ status }) => status === 'waiting');
  });

  afterAll(async () => {
    await service.stop();
    await receiver.stop();
    await database.drop();
  });

  it('GET /v1/system returns the processes, the queue, the commit times and the database size', async () => {
    const { status, body } = await service.get<SystemView>('/v1/system');
    expect(status).toBe(200);
    expect(body.webhooks).toEqual({
      ...{ active: 0, behind: 0, failing: 0, max_lag_events: 0 },
      ...{ failing_since: null, endpoints: [] },
    });
    expect(body.processes).toMatchObject([{ pid: process.pid, role: 'all', executions_held: 0, load: 0 }]);
    expect(body.queue).toEqual({ runnable: 0, sleeping: 1, oldest_seconds: 0 });
    expect(body.commits.process_id).toBe(body.processes[0]?.id);
    expect(body.commits.count).toBeGreaterThan(0);
    expect(body.commits.p95_ms).toBeGreaterThan(0);
    expect(body.feed).toEqual({ delay_seconds: 0, delayed_by: null });
    expect(body.database.kind).toBe(kind.name);
    const { size_bytes: size, tables } = body.database;
    expect(tables?.map(({ name }) => name)).toContain('executions');
    const sizes = tables?.map(({ size_bytes }) => size_bytes) ?? [];
    expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
    expect(sizes.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThanOrEqual(size);
  });

  it('GET /v1/system counts failing webhooks, and shows a webhook URL only to the team of the webhook', async () => {
    receiver.respond = (response) => void response.writeHead(500).end();
    const { body: webhook } = await service.post('/v1/webhooks', { url: receiver.url() });
    const calls = new ExecutionCalls(service);
    const { id } = await calls.start(await calls.workflow([{ id: 'a', type: 'set', with: { value: 1 } }]));
    await calls.until(id, ({ status }) => status === 'completed');
    const figures = await until('a failing webhook', async () => {
      const { body } = await service.get<SystemView>('/v1/system');
      return body.webhooks.failing === 1 && body.webhooks;
    });
    expect(figures).toMatchObject({ active: 1, behind: 1 });
    expect(figures.max_lag_events).toBeGreaterThan(0);
    expect(Date.parse(figures.failing_since ?? '')).not.toBeNaN();
    expect(figures.endpoints).toEqual([
      {
        ...{ id: webhook.id, project_id: service.project.id, url: receiver.url() },
        lag_events: figures.max_lag_events,
        failing_since: figures.failing_since,
      },
    ]);
    const { key } = await service.newStranger();
    const { body: seen } = await service.get<SystemView>('/v1/system', { key });
    expect(seen.webhooks).toMatchObject({ failing: 1, endpoints: [] });
  });

  // The test runs only on PostgreSQL, because an open transaction cannot delay the event feed on SQLite.
  it.each(kind.name === 'postgres' ? ['nightly report'] : [])(
    'GET /v1/system names the application "%s" whose open transaction delays the event feed',
    async (application) => {
      const foreign = new Client({ connectionString: databaseUrl(database.settings) });
      await foreign.connect();
      try {
        const { rows } = await foreign.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
        await foreign.query(`BEGIN; SET LOCAL application_name = '${application}'`);
        await foreign.query(`SELECT pg_current_xact_id(), 'text of the query'`);
        const calls = new ExecutionCalls(service);
        const { id } = await calls.start(
          await calls.workflow([{ id: 'a', type: 'set', with: { value: 1 } }]),
        );
        await calls.until(id, ({ status }) => status === 'completed');
        const feed = await until('a report that names the transaction', async () => {
          const { body } = await service.get<SystemView>('/v1/system');
          expect(JSON.stringify(body)).not.toContain('text of the query');
          return body.feed.delayed_by !== null && body.feed;
        });
        expect(feed.delay_seconds).toBeGreaterThanOrEqual(5);
        expect(feed.delayed_by).toMatchObject({ pid: rows[0]?.pid, application });
        expect(feed.delayed_by?.age_seconds).toBeGreaterThanOrEqual(feed.delay_seconds);
        expect(Date.parse(feed.delayed_by?.query_started_at ?? '')).not.toBeNaN();
        await foreign.query('ROLLBACK');
        await until('a feed without delay', async () => {
          const { body } = await service.get<SystemView>('/v1/system');
          return body.feed.delayed_by === null && body.feed.delay_seconds === 0;
        });
      } finally {
        await foreign.end();
      }
    },
  );

  it('GET /v1/system returns 403 to a team member without the role admin', async () => {
    const { key } = await newPerson(service, 'member');
    expect(await service.get('/v1/system', { key })).toMatchObject({ status: 403 });
  });
});
