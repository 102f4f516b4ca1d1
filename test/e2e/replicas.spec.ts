import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/expressions/index.js';
import { journalFaults, type SeenEvent } from '../chaos/journal-verdict.js';
import { databaseKinds, databaseUrl, type TestDatabase } from '../support/database.js';
import type { ExecutionView } from '../support/execution-views.js';
import { FlakyServer, json } from '../support/flaky-server.js';
import { testRedis } from '../support/redis.js';
import { ServiceProcess } from '../support/service-process.js';
import { SocketClient, type SocketMessage } from '../support/socket-client.js';
import { until } from '../support/until.js';
import { Wire } from '../support/wire.js';

const postgres = (await databaseKinds()).find(({ name }) => name === 'postgres');
const redis = await testRedis();
const FINAL_EVENTS = ['workflow.completed', 'workflow.failed', 'workflow.cancelled'];
const FINAL = ['completed', 'failed', 'cancelled', 'timed_out'];
const CHAIN = ['first', 'second', 'third', 'fourth'];

/** Two API processes and two workers share one PostgreSQL database and one Redis server. */
describe.runIf(postgres !== undefined && redis !== undefined)('several processes', () => {
  let database: TestDatabase;
  let wire: Wire;
  let outside: FlakyServer;
  let apis: readonly [ServiceProcess, ServiceProcess];
  let workers: readonly [ServiceProcess, ServiceProcess];
  let chain: string;

  beforeAll(async () => {
    if (postgres === undefined || redis === undefined) return;
    [database, wire, outside] = [
      await postgres.create(),
      await Wire.toServer(redis.url),
      await FlakyServer.start(),
    ];
    const environment = {
      ...redis.environment,
      REDIS_URL: wire.url,
      DATABASE_URL: databaseUrl(database.settings),
      EGRESS_ALLOW: outside.address,
      RUN_CONCURRENCY: '20',
    };
    const first = new ServiceProcess({ ...environment, ROLE: 'api' });
    const another = (role: string): ServiceProcess =>
      new ServiceProcess({ ...environment, ROLE: role }, first.token);
    apis = [first, another('api')];
    workers = [another('worker'), another('worker')];
    await Promise.all([...apis, ...workers].map((service) => service.start()));
    outside.on('/call', (_, response) => setTimeout(() => json(response, {}), 30));
    chain = await workflow(
      CHAIN.map((id) => ({ id, type: 'http', with: { method: 'POST', url: outside.url('/call') } })).map(
        (node, index) => ({ ...node, ...(index > 0 && { needs: [CHAIN[index - 1] ?? ''] }) }),
      ),
    );
  });

  afterEach(() => SocketClient.cutAll());

  afterAll(async () => {
    for (const service of [...(workers ?? []), ...(apis ?? [])]) await service.dispose();
    await outside?.stop();
    await wire?.close();
    await redis?.close();
    await database?.drop();
  });

  async function workflow(nodes: readonly JsonObject[]): Promise<string> {
    const { id } = await apis[0].call<{ id: string }>('POST', '/v1/workflows', { name: 'test', nodes });
    return id;
  }

  const start = (
    api: ServiceProcess,
    of: string,
    body: JsonObject = {},
    query = '',
  ): Promise<ExecutionView> =>
    api.call<ExecutionView>('POST', `/v1/workflows/${of}/executions${query}`, body);

  const ended = (api: ServiceProcess, id: string): Promise<ExecutionView> =>
    until(`the end of ${id}`, async () => {
      const execution = await api.call<ExecutionView>('GET', `/v1/executions/${id}`);
      return FINAL.includes(execution.status) && execution;
    });

  async function expectWhole(ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      expect(await ended(apis[1], id)).toMatchObject({ status: 'completed' });
      const { data } = await apis[1].call<{ data: readonly SeenEvent[] }>(
        'GET',
        `/v1/executions/${id}/events?limit=100`,
      );
      expect(journalFaults(data, CHAIN)).toEqual([]);
    }
  }

  const open = (api: ServiceProcess, resumeFrom?: string): Promise<SocketClient> =>
    SocketClient.authenticated(new URL(api.url).host, api.token, resumeFrom);

  const hasEnded = (events: readonly SocketMessage[], ids: readonly string[]): boolean =>
    ids.every((id) =>
      events.some((event) => event['execution_id'] === id && FINAL_EVENTS.includes(event.type)),
    );

  /** The received messages with events of the given executions, as text and in order of arrival. */
  const bytes = (client: SocketClient, ids: readonly string[]): readonly string[] =>
    client.texts.filter((_, index) => {
      const message = client.received[index];
      return message !== undefined && 'sequence' in message && ids.includes(String(message['execution_id']));
    });

  const query = async (sql: string): Promise<readonly Readonly<Record<string, unknown>>[]> => {
    const client = new Client({ connectionString: databaseUrl(database.settings) });
    await client.connect();
    try {
      return (await client.query<Readonly<Record<string, unknown>>>(sql)).rows;
    } finally {
      await client.end();
    }
  };

  it('workers run the executions that an API process starts, and abort the executions that another API process cancels', async () => {
    const hangs = await workflow([
      { id: 'call', type: 'http', with: { method: 'POST', url: outside.url('/hangs') } },
    ]);
    outside.on('/hangs', () => undefined);
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1) ids.push((await start(apis[0], hangs)).id);
    await until('the calls', () => outside.count('/hangs') === ids.length);
    const holders = await query(
      'SELECT DISTINCT i.pid FROM executions e JOIN instances i ON i.id = e.lease_owner',
    );
    const pids = workers.map(({ pid }) => pid);
    expect(holders.every(({ pid }) => pids.includes(Number(pid)))).toBe(true);
    expect(holders.length).toBeGreaterThan(0);
    // The second API process cancels the executions, and the workers must abort their HTTP requests.
    for (const id of ids) await apis[1].call('POST', `/v1/executions/${id}/cancel`, {});
    await until(
      'the aborts of the calls',
      () => outside.left.filter((path) => path === '/hangs').length === ids.length,
    );
  });

  it('a start with `?wait` returns the completed execution, even if another process runs the execution', async () => {
    for (const api of apis)
      expect(await start(api, chain, {}, '?wait=30')).toMatchObject({ status: 'completed' });
  });

  it('a start that is repeated at another API process with the same Idempotency-Key gets the first response', async () => {
    const say = await workflow([{ id: 'say', type: 'set', with: { value: 1 } }]);
    const path = `/v1/workflows/${say}/executions?wait=30`;
    const session = await apis[0].call<{ id: string }>('POST', '/v1/sessions', {});
    const body = { input: { n: 1 }, metadata: { m: 2 }, session_id: session.id, priority: 2 };
    const keyed = { 'idempotency-key': 'started once' };
    const first = await apis[0].call<ExecutionView>('POST', path, body, keyed);
    expect(await apis[1].call<ExecutionView>('POST', path, body, keyed)).toEqual(first);
    expect(first).toMatchObject({ status: 'completed', ...body });
  });

  it('concurrent requests to two API processes with the same Idempotency-Key create one resource', async () => {
    for (let round = 0; round < 5; round += 1) {
      const name = `two processes ${round}!`;
      const answers = await Promise.all(
        apis.flatMap(({ url, token }) =>
          Array.from({ length: 4 }, () =>
            fetch(`${url}/v1/workflows`, {
              method: 'POST',
              headers: {
                authorization: `Bearer ${token}`,
                'content-type': 'application/json',
                'idempotency-key': name,
              },
              body: JSON.stringify({ name }),
            }),
          ),
        ),
      );
      const created = answers.filter(({ status }) => status === 201);
      expect(answers.filter(({ status }) => status === 409)).toHaveLength(answers.length - created.length);
      const bodies = (await Promise.all(created.map((answer) => answer.json()))) as readonly {
        readonly id: string;
      }[];
      expect(new Set(bodies.map(({ id }) => id)).size).toBe(1);
      const { pagination } = await apis[0].call<{ pagination: { total: number } }>(
        'GET',
        `/v1/workflows?q=${encodeURIComponent(name)}`,
      );
      expect(pagination.total).toBe(1);
    }
  });

  it('starts succeed while all workers are stopped, and each execution runs once after the workers continue', async () => {
    const ids: string[] = [];
    const before = outside.count('/call');
    for (const worker of workers) worker.signal('SIGSTOP');
    try {
      for (let n = 0; n < 6; n += 1) ids.push((await start(apis[n % 2] ?? apis[0], chain)).id);
    } finally {
      for (const worker of workers) worker.signal('SIGCONT');
    }
    await expectWhole(ids);
    expect(outside.count('/call') - before).toBe(ids.length * CHAIN.length);
  });

  it('an API process starts the current version of a workflow that another API process changed', async () => {
    const [here, there] = apis;
    const schema = (type: string): JsonObject => ({ type: 'object', properties: { n: { type } } });
    const says = (value: string, type: string): JsonObject => ({
      name: 'changes',
      input_schema: schema(type),
      nodes: [{ id: 'say', type: 'set', with: { value } }],
    });
    const { id } = await here.call<{ id: string }>('POST', '/v1/workflows', says('first', 'number'));
    const change = (body: JsonObject): Promise<unknown> => there.call('PATCH', `/v1/workflows/${id}`, body);
    const output = async (n: number | string): Promise<unknown> =>
      (await start(here, id, { input: { n } }, '?wait=30')).output;
    expect(await output(1)).toBe('first');
    await change(says('second', 'string'));
    // The new input schema rejects the number 1, which the previous schema accepted, and accepts a string.
    await expect(output(1)).rejects.toThrow('400');
    expect(await output('one')).toBe('second');
    await change({ status: 'paused' });
    await expect(output('one')).rejects.toThrow('409');
    await change({ status: 'active' });
    expect(await output('one')).toBe('second');
    await there.call('DELETE', `/v1/workflows/${id}`);
    await expect(output('one')).rejects.toThrow('404');
  });

  it('with several processes, a scheduled execution starts no earlier than planned, and a `delay` node completes', async () => {
    const sleeper = await workflow([{ id: 'pause', type: 'delay', with: { seconds: 6 } }]);
    const at = Date.now() + 1_500;
    const [slept, scheduled] = await Promise.all([
      start(apis[0], sleeper, {}, '?wait=30'),
      start(apis[1], chain, { scheduled_for: new Date(at).toISOString() }, '?wait=30'),
    ]);
    expect([slept.status, scheduled.status]).toEqual(['completed', 'completed']);
    expect(Date.parse(String(scheduled.started_at))).toBeGreaterThanOrEqual(at);
  });

  it('a worker process serves only its health probes and responds 404 to all other paths', async () => {
    const [{ url, token }] = workers;
    const ask = async (path: string): Promise<readonly [number, unknown]> => {
      const response = await fetch(url + path, { headers: { authorization: `Bearer ${token}` } });
      return [response.status, await response.json()];
    };
    expect(await ask('/health/live')).toEqual([200, { status: 'ok' }]);
    expect(await ask('/health/ready')).toEqual([
      200,
      { status: 'ok', checks: { database: 'up', queue: 'up', redis: 'up' } },
    ]);
    for (const path of ['/v1/workflows', '/openapi.json', '/swagger', '/health', '/'])
      expect(await ask(path)).toMatchObject([404, { error: { code: 'path_not_found' } }]);
    await expect(SocketClient.open(new URL(url).host)).rejects.toThrow();
  });

  it('sockets of two API processes deliver the same events in the same order, even if a worker is killed', async () => {
    const clients = [await open(apis[0]), await open(apis[1])] as const;
    const leaver = await open(apis[0]);
    const ids: string[] = [];
    for (let n = 0; n < 30; n += 1) {
      ids.push((await start(apis[n % 2] ?? apis[0], chain)).id);
      if (n === 15) await workers[0].kill();
    }
    await leaver.until(() => leaver.events.length >= 40);
    leaver.cut();
    const resumed = await open(apis[1], String(leaver.events.at(-1)?.['cursor']));
    for (const client of clients) await client.until(() => hasEnded(client.events, ids));
    const expected = bytes(clients[0], ids);
    await resumed.until(() => resumed.texts.includes(expected.at(-1) ?? ''));
    expect(bytes(clients[1], ids)).toEqual(expected);
    expect([...bytes(leaver, ids), ...bytes(resumed, ids)]).toEqual(expected);
    await workers[0].start();
    await expectWhole(ids);
  });

  it('executions complete while Redis is down, and after Redis returns without data', async () => {
    const ids: string[] = [];
    const startSome = async (count: number): Promise<void> => {
      for (let n = 0; n < count; n += 1) ids.push((await start(apis[n % 2] ?? apis[0], chain)).id);
    };
    await startSome(5);
    wire.cut();
    await startSome(10);
    // All executions end before Redis returns, including executions that started while Redis was unreachable.
    for (const id of ids) expect(await ended(apis[0], id)).toMatchObject({ status: 'completed' });
    const ready = await apis[0].call('GET', '/health/ready');
    expect(ready).toEqual({ status: 'ok', checks: { database: 'up', queue: 'up', redis: 'down' } });
    await redis?.clear();
    wire.mend();
    await startSome(5);
    await until('the return of Redis', async () => {
      const { checks } = await apis[0].call<{ checks: JsonObject }>('GET', '/health/ready');
      return checks['redis'] === 'up';
    });
    await startSome(5);
    await expectWhole(ids);
  });

  it('executions complete after all processes lose their PostgreSQL connections several times', async () => {
    const ids: string[] = [];
    let stop = false;
    const refused: number[] = [];
    const starters = Array.from({ length: 6 }, async (_, n) => {
      const { url, token } = apis[n % 2] ?? apis[0];
      while (!stop) {
        const response = await fetch(`${url}/v1/workflows/${chain}/executions`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: '{}',
        });
        const answer = (await response.json()) as { readonly id: string };
        if (response.status === 201) ids.push(answer.id);
        else refused.push(response.status);
        await pause(10);
      }
    });
    for (let round = 0; round < 3; round += 1) {
      await pause(400);
      await query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
      );
    }
    await pause(400);
    stop = true;
    await Promise.all(starters);
    expect(ids.length).toBeGreaterThan(10);
    expect(refused.filter((status) => status !== 503)).toEqual([]);
    await expectWhole(ids);
    for (const api of apis)
      expect(await start(api, chain, {}, '?wait=30')).toMatchObject({ status: 'completed' });
  });

  it('a worker hands over its executions on SIGTERM, and no node runs twice', async () => {
    outside.on('/slow', (_, response) => setTimeout(() => json(response, {}), 1_000));
    const slow = await workflow(
      ['first', 'second', 'third'].map((id, index) => ({
        id,
        type: 'http',
        with: { method: 'POST', url: outside.url('/slow') },
        ...(index > 0 && { needs: [['first', 'second'][index - 1] ?? ''] }),
      })),
    );
    const ids = (await Promise.all(Array.from({ length: 6 }, () => start(apis[0], slow)))).map(
      ({ id }) => id,
    );
    await until('the calls', () => outside.count('/slow') >= ids.length);
    expect(await workers[1].terminate()).toBe(0);
    for (const id of ids) expect(await ended(apis[0], id)).toMatchObject({ status: 'completed' });
    // Each node sent one request, because running nodes finished before the worker handed over its executions.
    expect(outside.count('/slow')).toBe(3 * ids.length);
    await workers[1].start();
  });
});
