import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/expressions/index.js';
import { databaseKinds, databaseUrl, type TestDatabase } from '../support/database.js';
import type { ExecutionView } from '../support/execution-views.js';
import { ServiceProcess } from '../support/service-process.js';
import { SocketClient } from '../support/socket-client.js';
import { SpawnedProgram } from '../support/spawned-program.js';

const postgres = (await databaseKinds()).find(({ name }) => name === 'postgres');

/** Duration of each delay in seconds: long enough that the executions still wait when the service is killed. */
const NAP_SECONDS = 6;

const ENDED = ['ended', 'big', 'cached'];

const signal = (name: string, id = name): JsonObject => ({ id, type: 'wait', with: { signal: name } });
const set = (id: string, value: unknown, more: JsonObject = {}): JsonObject =>
  ({ id, type: 'set', with: { value }, ...more }) as JsonObject;

interface Page<T> {
  readonly data: readonly T[];
  readonly pagination: { readonly total: number };
}
interface SeenEvent {
  readonly id: string;
  readonly type: string;
  readonly sequence: number;
  readonly execution_id: string;
  readonly data: JsonObject;
}

/** Kills a service on SQLite with executions in many states, and moves its data to PostgreSQL. */
describe.runIf(postgres !== undefined)('a service moved to PostgreSQL', () => {
  let database: TestDatabase;
  let before: ServiceProcess;
  let after: ServiceProcess;
  let service: ServiceProcess;
  let narrowKey: string;
  let cursor: string;
  /** Ids of the events that a WebSocket client received before the move, up to `cursor`. */
  let seen: readonly string[];
  const ids: Record<string, string> = {};
  let approveUrl: string;
  let cachedWorkflow: string;
  let childWorkflow: string;
  let sessionId: string;
  let listed: Page<ExecutionView>;
  let ended: readonly ExecutionView[];
  let auditTotal: number;
  let idempotent: string;

  const start = (workflow: string, body: JsonObject = {}, query = ''): Promise<ExecutionView> =>
    service.call('POST', `/v1/workflows/${workflow}/executions${query}`, body);
  const read = (id = ''): Promise<ExecutionView> => service.call('GET', `/v1/executions/${id}`);
  const workflow = async (nodes: readonly JsonObject[], config: JsonObject = {}): Promise<string> =>
    (await service.call<{ id: string }>('POST', '/v1/workflows', { name: 'moved', nodes, config })).id;
  const sendSignal = (id = '', name = '', payload: unknown = null): Promise<unknown> =>
    service.call('POST', `/v1/executions/${id}/signals/${name}`, { payload });
  const events = async (id = ''): Promise<readonly SeenEvent[]> =>
    (await service.call<{ data: readonly SeenEvent[] }>('GET', `/v1/executions/${id}/events?limit=100`)).data;

  async function until(id = '', is: (view: ExecutionView) => boolean): Promise<ExecutionView> {
    for (;;) {
      const view = await read(id);
      if (is(view)) return view;
      await pause(50);
    }
  }
  const completed = (id = ''): Promise<ExecutionView> =>
    until(id, ({ status }) => ['completed', 'failed', 'cancelled', 'timed_out'].includes(status));
  const waiting = (id = ''): Promise<ExecutionView> => until(id, ({ status }) => status === 'waiting');

  async function onceMore(): Promise<Response> {
    return fetch(`${service.url}/v1/workflows/${ids['plain']}/executions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${service.token}`,
        'content-type': 'application/json',
        'idempotency-key': 'only-once',
      },
      body: '{}',
    });
  }

  beforeAll(async () => {
    if (postgres === undefined) return;
    database = await postgres.createEmpty();
    before = new ServiceProcess();
    service = before;
    await before.start();
    const key = await before.call<{ key: string }>('POST', '/v1/keys', {
      name: 'narrow',
      scopes: ['events:read'],
    });
    narrowKey = key.key;
    const socket = await SocketClient.authenticated(new URL(before.url).host, before.token);
    ids['plain'] = await workflow([set('one', 1), set('two', '{{ nodes.one.output + 1 }}')]);
    ids['big'] = (await start(await workflow([set('big', 'x'.repeat(40_000))]), {}, '?wait=30')).id;
    ids['ended'] = (await start(ids['plain'], {}, '?wait=30')).id;
    const halfWay = await socket.until(() => socket.events.find(({ type }) => type === 'workflow.completed'));
    cursor = String(halfWay['cursor']);
    seen = socket.events.slice(0, socket.events.indexOf(halfWay) + 1).map(({ id }) => String(id));
    idempotent = ((await (await onceMore()).json()) as { id: string }).id;
    cachedWorkflow = await workflow([{ id: 'p', type: 'transform', with: { expression: '$millis()' } }], {
      cache_enabled: true,
    });
    ids['cached'] = (await start(cachedWorkflow, {}, '?wait=30')).id;
    ids['sleeper'] = (
      await start(await workflow([{ id: 'nap', type: 'delay', with: { seconds: NAP_SECONDS } }]))
    ).id;
    ids['later'] = (
      await start(ids['plain'], { scheduled_for: new Date(Date.now() + NAP_SECONDS * 1000).toISOString() })
    ).id;
    ids['loop'] = (
      await start(
        await workflow([
          {
            id: 'each',
            type: 'foreach',
            with: {
              items: [0, 0, NAP_SECONDS, 0],
              nodes: [
                { id: 'nap', type: 'delay', with: { seconds: '{{ item }}' } },
                set('said', '{{ index }}', { needs: ['nap'] }),
              ],
              output: '{{ nodes.said.output }}',
              max_concurrency: 1,
            },
          },
        ]),
      )
    ).id;
    ids['signalled'] = (await start(await workflow([signal('go'), { ...signal('then'), needs: ['go'] }]))).id;
    ids['asked'] = (
      await start(
        await workflow([{ id: 'ask', type: 'wait', with: { signal: 'ok', approval: { title: 'May I?' } } }]),
      )
    ).id;
    childWorkflow = await workflow([signal('done')]);
    ids['parent'] = (
      await start(await workflow([{ id: 'ship', type: 'workflow', with: { workflow_id: childWorkflow } }]))
    ).id;
    ids['paused'] = (await start(await workflow([signal('go')]))).id;
    const capped = await workflow([signal('go')], { max_running: 1 });
    ids['first'] = (await start(capped)).id;
    ids['second'] = (await start(capped)).id;
    sessionId = (
      await before.call<{ id: string }>('POST', '/v1/sessions', {
        external_id: 'order-1',
        concurrency: 'serial',
        state: { a: 1 },
      })
    ).id;
    ids['turn'] = (await start(await workflow([signal('go')]), { session_id: sessionId })).id;
    ids['next'] = (await start(ids['plain'], { session_id: sessionId })).id;
    for (const name of ['sleeper', 'signalled', 'asked', 'parent', 'paused', 'first', 'turn'])
      await waiting(ids[name]);
    await until(ids['loop'], ({ status }) => status === 'waiting');
    await before.call('POST', `/v1/executions/${ids['paused']}/pause`, {});
    // The execution waits for the signal `go` first, so the signal `then` is in the inbox during the move.
    await sendSignal(ids['signalled'], 'then', { early: true });
    const asked = (await events(ids['asked'])).find(({ type }) => type === 'workflow.node.waiting');
    approveUrl = String(asked?.data['approve_url']);
    ended = await Promise.all(ENDED.map((name) => read(ids[name])));
    listed = await service.call('GET', '/v1/executions?limit=100');
    auditTotal = (await service.call<Page<unknown>>('GET', '/v1/audit-log')).pagination.total;
    await before.kill();

    const url = databaseUrl(database.settings);
    const settings = { DATA_DIR: before.directory, DATABASE_URL: url };
    const move = new SpawnedProgram('dist/src/cli/main.js', '/', settings, [
      'migrate',
      '--from',
      'sqlite',
      '--to',
      'postgres',
    ]);
    await move.prints(/^Moved \d+ rows of \d+ tables/m);
    await move.ended;
    after = new ServiceProcess({ DATABASE_URL: url }, before.token);
    service = after;
    await after.start();
  });

  afterEach(() => SocketClient.cutAll());

  afterAll(async () => {
    SpawnedProgram.killAll();
    await before?.dispose();
    await after?.dispose();
    await database?.drop();
  });

  it('a service moved to PostgreSQL accepts its old API keys and lists the same executions', async () => {
    // The test reads the number of audit entries first, because the rejected request below adds an entry.
    expect((await service.call<Page<unknown>>('GET', '/v1/audit-log')).pagination.total).toBe(auditTotal);
    const narrow = await fetch(`${service.url}/v1/workflows`, {
      headers: { authorization: `Bearer ${narrowKey}` },
    });
    expect([narrow.status, await narrow.json()]).toMatchObject([
      403,
      { error: { type: 'permission_error' } },
    ]);
    const page = await service.call<Page<ExecutionView>>('GET', '/v1/executions?limit=100');
    expect(page.pagination.total).toBe(listed.pagination.total);
    expect(page.data.map(({ id }) => id)).toEqual(listed.data.map(({ id }) => id));
    expect(await Promise.all(ENDED.map((name) => read(ids[name])))).toEqual(ended);
    expect((await read(ids['big'])).output).toHaveLength(40_000);
  });

  it('a service moved to PostgreSQL repeats the response to an Idempotency-Key used before the move', async () => {
    const again = await onceMore();
    expect([again.headers.get('idempotent-replayed'), ((await again.json()) as { id: string }).id]).toEqual([
      'true',
      idempotent,
    ]);
  });

  it('a service moved to PostgreSQL reuses cached node results from before the move', async () => {
    const [first, second] = [await read(ids['cached']), await start(cachedWorkflow, {}, '?wait=30')];
    expect(second.output).toBe(first.output);
  });

  it('a service moved to PostgreSQL completes waiting, scheduled and partly completed executions', async () => {
    expect(await completed(ids['sleeper'])).toMatchObject({ status: 'completed' });
    expect(await completed(ids['later'])).toMatchObject({ status: 'completed', output: 2 });
    expect(await completed(ids['loop'])).toMatchObject({ status: 'completed', output: [0, 1, 2, 3] });
    const done = (await events(ids['loop'])).filter(
      ({ type, data }) => type === 'workflow.node.complete' && data['node_type'] === 'set',
    );
    expect(done).toHaveLength(4);
  });

  it('a service moved to PostgreSQL delivers stored and new signals, and accepts approval links from before the move', async () => {
    await sendSignal(ids['signalled'], 'go');
    expect(await completed(ids['signalled'])).toMatchObject({ status: 'completed', output: { early: true } });
    const { pathname } = new URL(approveUrl);
    expect((await fetch(service.url + pathname, { method: 'POST' })).status).toBe(200);
    expect(await completed(ids['asked'])).toMatchObject({ status: 'completed', output: { approved: true } });
    expect(await read(ids['paused'])).toMatchObject({ status: 'paused' });
    await service.call('POST', `/v1/executions/${ids['paused']}/resume`);
    await sendSignal(ids['paused'], 'go', 'on');
    expect(await completed(ids['paused'])).toMatchObject({ status: 'completed', output: 'on' });
  });

  it('a service moved to PostgreSQL reports the end of a child execution to its parent', async () => {
    const children = await service.call<Page<ExecutionView>>(
      'GET',
      `/v1/workflows/${childWorkflow}/executions`,
    );
    await sendSignal(children.data[0]?.id, 'done', 7);
    expect(await completed(ids['parent'])).toMatchObject({ status: 'completed', output: 7 });
  });

  it('a service moved to PostgreSQL still applies max_running and the execution order of a session', async () => {
    for (const name of ['second', 'next']) expect(await read(ids[name])).toMatchObject({ status: 'queued' });
    await sendSignal(ids['first'], 'go');
    await waiting(ids['second']);
    await sendSignal(ids['second'], 'go');
    await sendSignal(ids['turn'], 'go');
    for (const name of ['second', 'turn', 'next'])
      expect(await completed(ids[name])).toMatchObject({ status: 'completed' });
    expect(await service.call('POST', '/v1/sessions', { external_id: 'order-1' })).toMatchObject({
      id: sessionId,
      state: { a: 1 },
    });
  });

  it('a service moved to PostgreSQL sends each event after an old cursor exactly once', async () => {
    for (const name of ['sleeper', 'later', 'loop']) await completed(ids[name]);
    const client = await SocketClient.authenticated(new URL(service.url).host, service.token, cursor);
    const last = await start(ids['plain'] ?? '', {}, '?wait=30');
    await client.until(() =>
      client.events.find((event) => event.type === 'workflow.completed' && event['execution_id'] === last.id),
    );
    const received = [...seen, ...client.events.map(({ id }) => String(id))];
    const { data } = await service.call<Page<ExecutionView>>('GET', '/v1/executions?limit=100');
    const recorded = (await Promise.all(data.map(({ id }) => events(id)))).flat().map(({ id }) => id);
    expect(new Set(received).size).toBe(received.length);
    expect(received.toSorted()).toEqual(recorded.toSorted());
  });
});
