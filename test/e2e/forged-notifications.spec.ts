import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { Client, type Notification } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/expressions/index.js';
import { newId } from '../../src/platform/index.js';
import { databaseKinds, databaseUrl, type TestDatabase } from '../support/database.js';
import type { ExecutionView } from '../support/execution-views.js';
import { FlakyServer, json } from '../support/flaky-server.js';
import { testRedis } from '../support/redis.js';
import { startSecond } from '../support/second-process.js';
import { TestService } from '../support/service.js';
import { until } from '../support/until.js';

const postgres = (await databaseKinds()).find(({ name }) => name === 'postgres');
const redis = await testRedis();
const ENDED = ['completed', 'failed', 'cancelled', 'timed_out'];
const CHANNELS = ['workflow_positions', 'workflow_work', 'workflow_inboxes', 'workflow_cancellations'];

const CARRIERS: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['PostgreSQL', {}],
  ...(redis === undefined ? [] : ([['Redis', redis.environment]] as const)),
];

afterAll(() => redis?.close());

/** Uses one API process, one worker, and a database login without privileges on any table. */
describe.runIf(postgres !== undefined).each(CARRIERS)(
  'a database login without table privileges, with notifications over %s',
  (carrier, settings) => {
    let database: TestDatabase;
    let outside: FlakyServer;
    let api: TestService;
    let worker: Awaited<ReturnType<typeof startSecond>>;
    let stranger: Client;
    const received: Notification[] = [];
    const role = `stranger_${newId().replaceAll('-', '')}`;

    beforeAll(async () => {
      if (postgres === undefined) return;
      [database, outside] = [await postgres.create(), await FlakyServer.start()];
      outside.on('/slow', (_, response) => setTimeout(() => json(response, {}), 1_500));
      const environment = { EGRESS_ALLOW: outside.address, ...settings };
      api = await TestService.start({
        database: database.settings,
        environment: { ...environment, ROLE: 'api' },
      });
      worker = await startSecond(database.settings, { ...environment, ROLE: 'worker' });
      await asOwner(`CREATE ROLE ${role} LOGIN`);
      const url = new URL(databaseUrl(database.settings));
      url.username = role;
      stranger = new Client({ connectionString: url.toString() });
      await stranger.connect();
      stranger.on('notification', (notification) => received.push(notification));
      for (const channel of CHANNELS) await stranger.query(`LISTEN ${channel}`);
    });

    afterAll(async () => {
      await stranger?.end();
      await worker?.close();
      await api?.stop();
      await outside?.stop();
      await asOwner(`DROP ROLE IF EXISTS ${role}`);
      await database?.drop();
    });

    async function asOwner(sql: string): Promise<readonly Record<string, unknown>[]> {
      const owner = new Client({ connectionString: databaseUrl(database.settings) });
      await owner.connect();
      try {
        return (await owner.query<Record<string, unknown>>(sql)).rows;
      } finally {
        await owner.end();
      }
    }

    async function start(nodes: readonly JsonObject[], input: JsonObject = {}): Promise<string> {
      const workflow = await api.post('/v1/workflows', { name: 'test', nodes });
      const started = await api.post(`/v1/workflows/${workflow.body.id}/executions`, { input });
      expect(started.status).toBe(201);
      return started.body.id;
    }

    async function ended(id: string): Promise<ExecutionView> {
      return until('the end of the execution', async () => {
        const { body } = await api.get<ExecutionView>(`/v1/executions/${id}`);
        return ENDED.includes(body.status) ? body : undefined;
      });
    }

    async function cancelSlowOne(): Promise<void> {
      const id = await start([{ id: 'a', type: 'http', with: { url: outside.url('/slow') } }]);
      const left = outside.left.length;
      await until('the call', () => outside.calls.has('/slow'));
      expect((await api.post(`/v1/executions/${id}/cancel`, {})).status).toBe(200);
      // After a notification, the worker reads the cancellation from the database and aborts the HTTP request.
      await until('the abort of the call', () => outside.left.length > left);
    }

    it('PostgreSQL notifications of the service have empty payloads, so other database logins learn nothing from them', async () => {
      await expect(stranger.query('SELECT * FROM journal')).rejects.toThrow('permission denied');
      await ended(await start([{ id: 'a', type: 'set', with: { value: 'a secret' } }], { card: '4242' }));
      const waiting = await start([{ id: 'a', type: 'wait', with: { signal: 'go', timeout_seconds: 60 } }]);
      await until(
        'the waiting execution',
        async () => (await api.get<ExecutionView>(`/v1/executions/${waiting}`)).body.status === 'waiting',
      );
      await api.post(`/v1/executions/${waiting}/signals/go`, { payload: 'hidden' });
      await ended(waiting);
      await cancelSlowOne();
      const channels = carrier === 'PostgreSQL' ? 3 : 0;
      await until('notifications', () => new Set(received.map(({ channel }) => channel)).size >= channels);
      expect(received.filter(({ payload }) => payload !== '')).toEqual([]);
    });

    it('forged PostgreSQL notifications of a login without table privileges change no execution and no event', async () => {
      const slow = await start([{ id: 'a', type: 'http', with: { url: outside.url('/slow') } }]);
      const [row] = await asOwner(`SELECT *, lease_owner FROM executions WHERE id = '${slow}'`);
      const [instance] = await asOwner("SELECT id FROM instances WHERE role = 'worker'");
      const forgedRow = JSON.stringify({
        position: 1_000_000,
        id: newId(),
        execution_id: slow,
        project_id: row?.['project_id'],
        workflow_id: row?.['workflow_id'],
        session_id: null,
        first_sequence: 2,
        last_sequence: 2,
        body: '[["workflow.failed",1,null,null,0,{"status":"failed","error":{"message":"forged"}}]]',
      });
      const texts = ['', 'x', slow, `x ${slow}`, `${String(instance?.['id'])} ${slow}`, forgedRow]
        .concat(`x ${forgedRow}`, String(Number.MAX_SAFE_INTEGER), '-1', '{', '\u0001'.repeat(100))
        .concat('x'.repeat(7_000));
      for (const channel of CHANNELS)
        for (const text of texts) await stranger.query('SELECT pg_notify($1, $2)', [channel, text]);
      for (const channel of CHANNELS)
        await stranger.query('SELECT count(pg_notify($1, $2 || n)) FROM generate_series(1, 10000) AS n', [
          channel,
          `${slow} `,
        ]);
      const { status, last_sequence: last } = await ended(slow);
      expect(status).toBe('completed');
      const { body } = await api.get<{ data: readonly { type: string; sequence: number }[] }>(
        `/v1/executions/${slow}/events`,
      );
      expect(body.data.map(({ sequence }) => sequence)).toEqual(
        Array.from({ length: last }, (_, index) => index + 1),
      );
      expect(body.data.at(-1)?.type).toBe('workflow.completed');
      expect(
        await asOwner(
          `SELECT count(*)::int AS n FROM executions WHERE status <> 'completed' AND id = '${slow}'`,
        ),
      ).toEqual([{ n: 0 }]);
    });

    it('executions complete while a login without table privileges floods the service with notifications', async () => {
      let flooding = true;
      const flood = (async () => {
        while (flooding)
          for (const channel of CHANNELS)
            await stranger.query('SELECT count(pg_notify($1, n::text)) FROM generate_series(1, 500) AS n', [
              channel,
            ]);
      })();
      for (let n = 0; n < 5; n += 1)
        expect((await ended(await start([{ id: 'a', type: 'set', with: { value: n } }]))).status).toBe(
          'completed',
        );
      flooding = false;
      await flood;
    });

    it('forged and replayed Redis messages start no execution and do not prevent later executions', async () => {
      if (redis === undefined) return;
      const before = await asOwner('SELECT count(*)::int AS n FROM executions');
      const [client, spy] = [new Redis(redis.url), new Redis(redis.url)];
      const messages: [string, Buffer][] = [];
      spy.on('pmessageBuffer', (_: Buffer, channel: Buffer, message: Buffer) =>
        messages.push([channel.toString(), message]),
      );
      await spy.psubscribe(`${redis.prefix}:*`);
      await ended(await start([{ id: 'a', type: 'set', with: { value: 'a secret' } }]));
      expect(messages.length > 0).toBe(carrier === 'Redis');
      for (const [, message] of messages) expect(message.toString('latin1')).not.toMatch(/secret|set|taken/);
      const offer = JSON.stringify({
        from: newId(),
        until: Date.now() + 60_000,
        starts: [{ execution: {} }],
      });
      const channels = (await client.pubsub('CHANNELS', `${redis.prefix}:*`)) as string[];
      for (const channel of channels)
        for (const text of [offer, '', '{}', '[["x","taken"]]', 'x'.repeat(100_000)])
          await client.publish(channel, text);
      // Replays recorded messages of the service after a delay.
      await pause(1_100);
      for (const [channel, message] of messages.slice(0, 50)) await client.publish(channel, message);
      client.disconnect();
      spy.disconnect();
      expect(await asOwner('SELECT count(*)::int - 1 AS n FROM executions')).toEqual(before);
      expect((await ended(await start([{ id: 'a', type: 'set', with: { value: 1 } }]))).status).toBe(
        'completed',
      );
    });
  },
);
