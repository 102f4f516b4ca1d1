import { execFile } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JournalEvent } from '../../src/execution-events/index.js';
import type { JsonObject } from '../../src/expressions/index.js';
import { newId } from '../../src/platform/index.js';
import { ExecutionStore } from '../support/execution-store.js';
import type { EventView, ExecutionView } from '../support/execution-views.js';
import { FlakyServer, json } from '../support/flaky-server.js';
import { ServiceProcess } from '../support/service-process.js';
import { until } from '../support/until.js';
import { journalFaults } from './journal-verdict.js';

/** The shutdown grace period. It is long enough for the process to exit on a busy machine. */
const GRACE_SECONDS = 6;
const FINAL = ['completed', 'failed', 'cancelled', 'timed_out'];

describe('a service that crashes', () => {
  let server: FlakyServer;
  let service: ServiceProcess;

  beforeAll(async () => {
    server = await FlakyServer.start();
    server.on('/effect', (_, response) => json(response, { ok: true }));
    service = new ServiceProcess({
      EGRESS_ALLOW: server.address,
      SHUTDOWN_GRACE_SECONDS: `${GRACE_SECONDS}`,
    });
    await service.start();
  });

  afterAll(async () => {
    await service?.dispose();
    await server?.stop();
  });

  beforeEach(() => server.calls.clear());

  const effect = (id: string, path = '/effect', more: JsonObject = {}): JsonObject => ({
    id,
    type: 'http',
    with: { method: 'POST', url: server.url(path) },
    ...more,
  });
  const set = (id: string, value: string, more: JsonObject = {}): JsonObject => ({
    id,
    type: 'set',
    with: { value },
    ...more,
  });
  const workflow = async (
    nodes: readonly JsonObject[],
  ): Promise<{ readonly id: string; readonly project_id: string }> =>
    service.call('POST', '/v1/workflows', { name: 'crash', nodes });
  const start = async (nodes: readonly JsonObject[], input: JsonObject = {}): Promise<ExecutionView> =>
    service.call('POST', `/v1/workflows/${(await workflow(nodes)).id}/executions`, { input });
  const read = (id: string): Promise<ExecutionView> => service.call('GET', `/v1/executions/${id}`);
  const events = async (id: string): Promise<readonly EventView[]> =>
    (await service.call<{ data: readonly EventView[] }>('GET', `/v1/executions/${id}/events?limit=100`)).data;
  const ended = async (id: string): Promise<ExecutionView> => {
    await until('the end', async () => FINAL.includes((await read(id)).status));
    return read(id);
  };
  /**
   * Expects that the execution completes with exactly one result for each node, as without a crash.
   * @returns the events of the execution
   */
  const expectWhole = async (id: string, nodeIds: readonly string[]): Promise<readonly EventView[]> => {
    expect(await ended(id)).toMatchObject({ status: 'completed', error: null });
    const journal = await events(id);
    expect(journalFaults(journal, nodeIds)).toEqual([]);
    return journal;
  };
  const recoveries = (journal: readonly EventView[]): readonly unknown[] =>
    journal.filter(({ type }) => type === 'workflow.recovered').map(({ data }) => data['cause']);

  /** Kills the service, changes its database, and starts the service again. */
  const whileDown = async (work: (store: ExecutionStore) => Promise<void>): Promise<void> => {
    await service.kill();
    const store = await ExecutionStore.open({
      dialect: 'sqlite',
      path: `${service.directory}/workflow.sqlite`,
    });
    try {
      await work(store);
    } finally {
      await store.close();
    }
    await service.start();
  };

  /**
   * Stores an execution as a crashed process leaves it. The execution is unclaimed, or has a lease and the events in
   * `left.appended`.
   * @returns the id of the execution
   */
  const leftBehind = async (
    nodes: readonly JsonObject[],
    left: { readonly claimed: boolean; readonly appended?: readonly JournalEvent[] },
  ): Promise<string> => {
    const { id: workflowId, project_id: projectId } = await workflow(nodes);
    let id = '';
    await whileDown(async (store) => {
      const execution = await store.insert({ workflowId, projectId });
      ({ id } = execution);
      if (!left.claimed) return;
      const [held] = (await store.claims.claim(newId(), new Date().toISOString(), 1)).executions;
      if (held === undefined) throw new Error('The execution was not claimed.');
      if (left.appended !== undefined) await store.executions.advance(held, left.appended, false);
    });
    return id;
  };

  it('after a crash, the service runs an execution whose start was committed but not dispatched', async () => {
    const id = await leftBehind([effect('call')], { claimed: false });
    expect(recoveries(await expectWhole(id, ['call']))).toEqual([]);
    expect(server.count('/effect')).toBe(1);
  });

  it('after a crash, the service reclaims the lease that the crashed process held, and records the recovery', async () => {
    const id = await leftBehind([effect('call')], { claimed: true });
    expect(recoveries(await expectWhole(id, ['call']))).toEqual(['crash']);
    expect(server.count('/effect')).toBe(1);
  });

  it('after a crash, a node without a committed result runs again with the same attempt number and idempotency key', async () => {
    const keys: unknown[] = [];
    server.on('/once_more', (request, response, call) => {
      keys.push(request.headers['idempotency-key']);
      if (call > 1) json(response, { call });
    });
    const { id } = await start([effect('call', '/once_more')]);
    await until('the call', () => server.count('/once_more') === 1);
    await service.kill();
    await service.start();
    const journal = await expectWhole(id, ['call']);
    expect(recoveries(journal)).toEqual(['crash']);
    expect(keys).toEqual([`${id}:call`, `${id}:call`]);
    expect(
      journal.filter(({ type }) => type === 'workflow.node.started').map(({ attempt }) => attempt),
    ).toEqual([1, 1]);
    expect(journal.find(({ type }) => type === 'workflow.recovered')?.data).toMatchObject({
      recoveries: 1,
      node_ids: ['call'],
    });
  });

  it('a crash during a group commit discards all writes of that commit and keeps earlier commits', async () => {
    const { id } = await start([set('a', 'x')]);
    await ended(id);
    await service.kill();
    const outcome = await inAnotherProcess(
      service.directory,
      `
      await store.writer.commit({ writes: [workflow('before')] });
      for (const name of ['one', 'two', 'three']) void store.writer.commit({ writes: [workflow(name)] });
      void store.writer.commit({ writes: [workflow('four'), endless] });
      await dieInTheCommit();
    `,
    );
    expect(outcome).toBe('SIGKILL');
    await service.start();
    const { data } = await service.call<{ data: readonly { readonly name: string }[] }>(
      'GET',
      '/v1/workflows?limit=100',
    );
    expect(data.map(({ name }) => name).filter((name) => name !== 'crash')).toEqual(['before']);
    expect(await read(id)).toMatchObject({ status: 'completed', output: 'x' });
  });

  it('a crash during the commit of a final event discards the event, and the restarted service ends the execution once', async () => {
    const id = await leftBehind([set('a', 'x')], { claimed: false });
    expect(await ended(id)).toMatchObject({ status: 'completed' });
    const { id: workflowId, project_id: projectId } = await workflow([set('a', 'y')]);
    await service.kill();
    const outcome = await inAnotherProcess(
      service.directory,
      `
      const execution = await store.insert({ workflowId: '${workflowId}', projectId: '${projectId}' });
      console.log(execution.id);
      const row = { sql: "UPDATE executions SET status = 'completed', last_sequence = 2 WHERE id = ?", parameters: [execution.id] };
      void store.journal.append({ scope: store.scopeOf(execution), after: 1, events: [store.completed('wrong')], otherWrites: [endless, row] });
      await dieInTheCommit();
    `,
    );
    expect(outcome).toBe('SIGKILL');
    await service.start();
    const { data } = await service.call<{ data: readonly ExecutionView[] }>(
      'GET',
      `/v1/workflows/${workflowId}/executions`,
    );
    const [left] = data;
    expect(data).toHaveLength(1);
    await expectWhole(left?.id ?? '', ['a']);
    expect(await read(left?.id ?? '')).toMatchObject({ output: 'y' });
  });

  it('after a crash between a commit and its notification, the event feed has no gaps and no duplicates', async () => {
    const { id: workflowId, project_id: projectId } = await workflow([set('a', 'x')]);
    const feed = async (
      after: string,
    ): Promise<{ readonly data: readonly EventView[]; readonly next_cursor: string }> => {
      const { data, pagination } = await service.call<{
        data: readonly EventView[];
        pagination: { next_cursor: string };
      }>('GET', `/v1/events?limit=100${after}`);
      return { data, next_cursor: pagination.next_cursor };
    };
    await start([set('a', 'x')]).then(({ id }) => ended(id));
    let before = await feed('');
    while (before.data.length > 0) before = await feed(`&after=${before.next_cursor}`);
    await service.kill();
    const outcome = await inAnotherProcess(
      service.directory,
      `
      const execution = await store.insert({ workflowId: '${workflowId}', projectId: '${projectId}', runnableAt: '9000-01-01T00:00:00.000Z' });
      store.bus.subscribe(die);
      await store.executions.forceAppend(execution, [store.cancelled()]);
    `,
    );
    expect(outcome).toBe('SIGKILL');
    await service.start();
    const after = await feed(`&after=${before.next_cursor}`);
    expect(after.data.map(({ type }) => type)).toEqual(['workflow.queued', 'workflow.cancelled']);
    const { data } = await service.call<{ data: readonly ExecutionView[] }>(
      'GET',
      `/v1/workflows/${workflowId}/executions`,
    );
    expect(data).toMatchObject([{ status: 'cancelled', last_sequence: 2 }]);
  });

  it('after a crash during the backoff of a node, the next attempt of the node does not start before the backoff ends', async () => {
    server.on('/second', (_, response, call) => json(response, { call }, call === 1 ? 503 : 200));
    const retry = { max_attempts: 3, backoff: 'fixed', initial_delay_ms: 2_500, jitter: false };
    const { id } = await start([effect('call', '/second', { retry })]);
    await until('the first attempt', async () =>
      (await events(id)).some(({ type }) => type === 'workflow.node.retrying'),
    );
    await service.kill();
    await service.start();
    const journal = await expectWhole(id, ['call']);
    expect(recoveries(journal)).toEqual(['crash']);
    expect(
      journal.filter(({ type }) => type === 'workflow.node.started').map(({ attempt }) => attempt),
    ).toEqual([1, 2]);
    const [first = 0, second = 0, ...more] = server.calls.get('/second') ?? [];
    expect(more).toEqual([]);
    expect(second - first).toBeGreaterThanOrEqual(2_400);
  });

  it('a loop continues after a crash, and commits one result for each item', async () => {
    const keys: unknown[] = [];
    server.on('/item', (request, response, call) => {
      keys.push(request.headers['idempotency-key']);
      // Calls 7, 8 and 9 get no response, so these calls are in progress when the service crashes.
      if (call <= 6 || call > 9) json(response, { call });
    });
    const call = effect('call', '/item');
    const items = Array.from({ length: 15 }, (_, n) => n);
    const { id } = await start([
      {
        id: 'each',
        type: 'foreach',
        with: { items, nodes: [call], max_concurrency: 3, output: '{{ item }}: {{ nodes.call.status }}' },
      },
    ]);
    await until('the three calls without a response', () => server.count('/item') === 9);
    await until('the results of six items', async () => {
      const results = (await events(id)).filter(({ type }) => type === 'workflow.node.complete');
      return results.length === 6;
    });
    await service.kill();
    await service.start();
    expect((await ended(id)).output).toEqual(items.map((n) => `${n}: completed`));
    const journal = await events(id);
    expect(journalFaults(journal, ['each'])).toEqual([]);
    expect(recoveries(journal)).toEqual(['crash']);
    expect(journal.find(({ type }) => type === 'workflow.recovered')?.data).toMatchObject({
      node_ids: ['call'],
    });
    const results = journal.filter(
      ({ type, node_id }) => type === 'workflow.node.complete' && node_id === 'call',
    );
    expect(results.map(({ data }) => data['iteration']).sort((a, b) => Number(a) - Number(b))).toEqual(items);
    // The service repeats the three calls that were in progress at the crash, with the same idempotency keys. So 15
    // items cause 18 calls.
    expect(keys).toHaveLength(18);
    expect(new Set(keys)).toEqual(new Set(items.map((n) => `${id}:call[${n}]`)));
  });

  it('after a crash, an execution that waits for a timer continues, but not before the time of the timer', async () => {
    const { id } = await start([
      { id: 'nap', type: 'delay', with: { seconds: 6 } },
      set('b', 'awake', { needs: ['nap'] }),
    ]);
    await until('the suspension of the execution', async () => (await read(id)).status === 'waiting');
    await service.kill();
    await pause(500);
    await service.start();
    const journal = await expectWhole(id, ['nap', 'b']);
    expect(recoveries(journal)).toEqual([]);
    const woken = journal.find(({ type, node_id }) => type === 'workflow.node.complete' && node_id === 'nap');
    expect(Date.parse(woken?.created_at ?? '')).toBeGreaterThanOrEqual(
      Date.parse((await read(id)).started_at ?? '') + 6_000,
    );
  });

  it('a node that completes within the shutdown grace period does not run again after the restart', async () => {
    server.on('/soon', (_, response) => setTimeout(() => json(response, {}), 1_000));
    const { id } = await start([effect('call', '/soon'), effect('next', '/effect', { needs: ['call'] })]);
    await until('the call', () => server.count('/soon') === 1);
    const begun = performance.now();
    expect(await service.terminate()).toBe(0);
    expect(performance.now() - begun).toBeLessThan(GRACE_SECONDS * 1_000);
    await service.start();
    expect(recoveries(await expectWhole(id, ['call', 'next']))).toEqual([]);
    expect([server.count('/soon'), server.count('/effect')]).toEqual([1, 1]);
  });

  it('an execution that outlasts the shutdown grace period resumes after the restart, and no crash is counted', async () => {
    server.on('/late', (_, response, call) => (call > 1 ? json(response, {}) : undefined));
    const { id } = await start([effect('call', '/late')]);
    const sleeping = await start([{ id: 'nap', type: 'delay', with: { seconds: GRACE_SECONDS + 1 } }]);
    await until('the call', () => server.count('/late') === 1);
    const waiting = fetch(`${service.url}/v1/workflows/${sleeping.workflow_id}/executions?wait=60`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.token}` },
    }).catch(() => null);
    await pause(200);
    const begun = performance.now();
    expect(await service.terminate()).toBe(0);
    expect(performance.now() - begun).toBeLessThan(30_000);
    await waiting;
    await service.start();
    const journal = await expectWhole(id, ['call']);
    expect(recoveries(journal)).toEqual(['hand_over']);
    expect(journal.find(({ type }) => type === 'workflow.recovered')?.data).toMatchObject({ recoveries: 0 });
    expect(server.count('/late')).toBe(2);
    expect(recoveries(await expectWhole(sleeping.id, ['nap']))).toEqual([]);
  });

  it('the service loses no execution whose start it acknowledged during a shutdown', async () => {
    const { id: workflowId } = await workflow([set('a', 'x')]);
    const acknowledged: string[] = [];
    let stop = false;
    const starters = Array.from({ length: 8 }, async () => {
      while (!stop) {
        try {
          acknowledged.push(
            (await service.call<ExecutionView>('POST', `/v1/workflows/${workflowId}/executions`, {})).id,
          );
        } catch {
          // The service did not acknowledge this start, so the execution may be lost.
          await pause(5);
        }
      }
    });
    await pause(300);
    expect(await service.terminate()).toBe(0);
    stop = true;
    await Promise.all(starters);
    await service.start();
    expect(acknowledged.length).toBeGreaterThan(10);
    for (const id of acknowledged) expect(await ended(id)).toMatchObject({ status: 'completed' });
  });

  it('an execution that repeatedly crashes the service ends with status failed, and a harmless execution completes', async () => {
    let deaths = 0;
    let restarted: Promise<void> = Promise.resolve();
    server.on('/poison', () => {
      deaths += 1;
      restarted = service.kill().then(() => service.start());
    });
    // A response takes 1.5 s, longer than the interval between two crashes. So the service receives no response until
    // the crashes stop.
    server.on('/patient', (_, response) => setTimeout(() => response.destroyed || json(response, {}), 1_500));
    const innocent = await start([effect('call', '/patient')]);
    await until(
      'the call of the execution that does not crash the service',
      () => server.count('/patient') === 1,
    );
    const poison = await start([effect('call', '/poison')]);
    const reread = async (id: string): Promise<ExecutionView | null> => {
      await restarted;
      return read(id).catch(() => null);
    };
    for (let tries = 0; tries < 2_000; tries += 1) {
      const [bad, good] = [await reread(poison.id), await reread(innocent.id)];
      if (bad !== null && good !== null && FINAL.includes(bad.status) && FINAL.includes(good.status)) break;
      await pause(20);
    }
    expect(await read(poison.id)).toMatchObject({
      status: 'failed',
      error: { type: 'recovery_exhausted' },
    });
    expect(deaths).toBe(6);
    await expectWhole(innocent.id, ['call']);
    expect(journalFaults(await events(poison.id), [])).toEqual([]);
  });

  it('harmless executions complete even if the service is killed more than MAX_RECOVERIES times while they run', async () => {
    let isOver = false;
    server.on('/endless', (_, response) => isOver && json(response, {}));
    const started = [];
    for (let n = 0; n < 3; n += 1) started.push(await start([effect('call', '/endless')]));
    await until('the calls', () => server.count('/endless') === started.length);
    for (let kills = 0; kills < 7; kills += 1) {
      const before = server.count('/endless');
      await service.kill();
      await service.start();
      await until('a call after the restart', () => server.count('/endless') > before);
    }
    isOver = true;
    // The server does not respond to the calls in progress. After the restart, the service repeats these
    // calls, and the server responds to them.
    await service.kill();
    await service.start();
    for (const { id } of started) await expectWhole(id, ['call']);
  });
});

/**
 * In another process, runs code of the built service on the database of a stopped service. The code calls `die` to kill
 * its own process.
 * @returns the signal that ended the process; null if the code ended by itself
 */
async function inAnotherProcess(directory: string, work: string): Promise<string | null> {
  const script = `
    import { setTimeout as pause } from 'node:timers/promises';
    import BetterSqlite from 'better-sqlite3';
    import { ENTITIES, MIGRATIONS } from './dist/src/schema.js';
    import { EventBus, Journal, PayloadRepository } from './dist/src/journal/index.js';
    import { ExecutionRepository } from './dist/src/execution-store/execution.repository.js';
    import { NOT_STARTED, scopeOf } from './dist/src/execution-store/execution.js';
    import { newId } from './dist/src/platform/index.js';
    import { dataSourceOptions, openDataSource } from './dist/src/database/index.js';
    import { writerOf } from './dist/src/storage/storage.module.js';
    const dataSource = await openDataSource(dataSourceOptions({ dialect: 'sqlite', path: process.argv[1] + '/workflow.sqlite' }, ENTITIES, MIGRATIONS), false);
    const writer = writerOf(dataSource);
    const bus = new EventBus();
    const payloads = new PayloadRepository(dataSource, 'sqlite');
    const journal = new Journal(writer, payloads, bus);
    const executions = new ExecutionRepository(dataSource, 'sqlite', journal, payloads, writer);
    const [project] = await dataSource.query('SELECT id FROM projects');
    const event = (type, data) => ({ type, at: Date.now(), nodeId: null, attempt: null, data });
    const ending = { duration_ms: 0, progress: { completed: 0, total: 1 } };
    const store = {
      writer, bus, journal, executions, scopeOf,
      completed: (output) => event('workflow.completed', { status: 'completed', output, ...ending }),
      cancelled: () => event('workflow.cancelled', { status: 'cancelled', reason: null, ...ending }),
      insert: async ({ workflowId, projectId, runnableAt = new Date().toISOString() }) => {
        const trigger = { type: 'api', id: null };
        const execution = {
          id: newId(), projectId, workflowId, workflowVersion: 1, sessionId: null, trigger, input: null, metadata: {}, priority: 5, attempt: 1,
          retryOf: null, parentId: null, rootId: null, depth: 0, scheduledFor: null, deduplicationKey: null, trace: null, admission: null, createdAt: new Date().toISOString(), progress: { ...NOT_STARTED, nodesTotal: 1, runnableAt }, lease: { owner: null, epoch: 0 },
        };
        const data = { status: 'queued', workflow_version: 1, input: null, trigger, attempt: 1, metadata: {} };
        await executions.insert(execution, [event('workflow.queued', data)], []);
        return execution;
      },
    };
    const die = () => process.kill(process.pid, 'SIGKILL');
    const endless = { sql: "UPDATE workflows SET name = name WHERE id = (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 10000000000) SELECT max(i) FROM n)", parameters: [] };
    // Another connection is kept from writing as soon as the commit has begun; what stands before \`endless\` is then soon done.
    const dieInTheCommit = async () => {
      const other = new BetterSqlite(process.argv[1] + '/workflow.sqlite', { timeout: 0 });
      try {
        for (;;) {
          other.exec('BEGIN IMMEDIATE; ROLLBACK');
          await pause(5);
        }
      } catch (error) {
        if (error.code !== 'SQLITE_BUSY') throw error;
        await pause(300);
        die();
      }
    };
    const workflow = (name) => ({
      sql: "INSERT INTO workflows (id, project_id, name, description, status, version, revision, definition, tags, created_at, updated_at) VALUES (?, ?, ?, '', 'active', 1, 1, '{\\"nodes\\":[],\\"config\\":{}}', '', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')",
      parameters: [newId(), project.id, name],
    });
    ${work}
  `;
  try {
    await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script, directory]);
    return null;
  } catch (error) {
    const { signal, stderr } = error as { readonly signal?: string | null; readonly stderr?: string };
    if (signal === undefined || signal === null) throw new Error(stderr, { cause: error });
    return signal;
  }
}
