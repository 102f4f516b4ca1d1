import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/expressions/index.js';
import { InstanceRegistry } from '../../src/instances/index.js';
import { Recovery } from '../../src/execution-runner/recovery/recovery.js';
import { RunLoop } from '../../src/execution-runner/run-loop/run-loop.js';
import { Writer } from '../../src/storage/index.js';
import { databaseKinds, type TestDatabase } from '../support/database.js';
import { ExecutionStore } from '../support/execution-store.js';
import { type EventView, ExecutionCalls, type ExecutionView } from '../support/execution-views.js';
import { FlakyServer, json } from '../support/flaky-server.js';
import { ServiceProcess } from '../support/service-process.js';
import { TestService } from '../support/service.js';
import { until } from '../support/until.js';
import { Wire } from '../support/wire.js';
import { journalFaults } from './journal-verdict.js';

const kinds = await databaseKinds();
const postgres = kinds.find(({ name }) => name === 'postgres');
const FINAL = ['completed', 'failed', 'cancelled', 'timed_out'];

let server: FlakyServer;

beforeAll(async () => {
  server = await FlakyServer.start();
});

afterAll(() => server.stop());

const http = (id: string, path: string, more: JsonObject = {}): JsonObject => ({
  id,
  type: 'http',
  with: { method: 'POST', url: server.url(path) },
  ...more,
});

for (const kind of kinds)
  describe(`leases on ${kind.name}`, () => {
    let database: TestDatabase;
    let service: TestService | undefined;

    afterEach(async () => {
      server.calls.clear();
      await service?.stop();
      service = undefined;
      await database.drop();
    });

    const open = async (
      environment: Readonly<Record<string, string>> = {},
    ): Promise<{ readonly service: TestService; readonly calls: ExecutionCalls }> => {
      database = await kind.create();
      service = await TestService.start({
        database: database.settings,
        environment: { EGRESS_ALLOW: server.address, ...environment },
      });
      return { service, calls: new ExecutionCalls(service) };
    };
    const change = (to: TestService, sql: string): Promise<void> =>
      to.app.get(Writer, { strict: false }).commit({ writes: [{ sql, parameters: [] }] });
    /** Runs one recovery sweep immediately. The service itself runs a sweep only after each heartbeat. */
    const sweep = (at: TestService): Promise<void> =>
      at.app.get<Recovery, { poll(): Promise<void> }>(Recovery, { strict: false }).poll();

    it('a process releases its lease of an execution that it does not run, and keeps its leases of running executions', async () => {
      server.on('/slow', (_, response) => setTimeout(() => json(response, {}), 400));
      const { service: own, calls } = await open();
      const { id: stray } = await calls.start(
        await calls.workflow([{ id: 'a', type: 'wait', with: { signal: 'go' } }]),
      );
      await calls.until(stray, ({ status }) => status === 'waiting');
      const { id: running } = await calls.start(await calls.workflow([http('call', '/slow')]));
      await until('the call', () => server.count('/slow') === 1);
      const owner = own.app.get(InstanceRegistry, { strict: false }).id;
      await change(
        own,
        `UPDATE executions SET lease_owner = '${owner}', lease_epoch = lease_epoch + 1, runnable_at = NULL WHERE id = '${stray}'`,
      );
      await own.post(`/v1/executions/${stray}/signals/go`, { payload: 1 });
      await sweep(own);
      expect((await calls.read(stray)).status).toBe('waiting');
      await sweep(own);
      await sweep(own);
      expect(await calls.ended(stray)).toMatchObject({ status: 'completed', output: 1 });
      expect(await calls.ended(running)).toMatchObject({ status: 'completed' });
      expect(server.count('/slow')).toBe(1);
    });

    it('a process aborts the HTTP call of an execution whose lease was revoked', async () => {
      server.on('/hangs', () => undefined);
      const { service: own, calls } = await open();
      const { id } = await calls.start(await calls.workflow([http('call', '/hangs')]));
      await until('the call', () => server.count('/hangs') > 0);
      const left = server.left.length;
      await change(
        own,
        `UPDATE executions SET lease_owner = NULL, lease_epoch = lease_epoch + 1 WHERE id = '${id}'`,
      );
      await sweep(own);
      await until('the abort of the call', () => server.left.length > left);
      const events = await calls.events(id);
      expect(events.map(({ type }) => type)).toEqual([
        'workflow.queued',
        'workflow.started',
        'workflow.node.started',
      ]);
    });

    it('a process releases all its leases at shutdown, even if clients start executions at the same time', async () => {
      const { service: own, calls } = await open({ SHUTDOWN_GRACE_SECONDS: '1' });
      const workflow = await calls.workflow([
        http('call', '/quick'),
        { id: 'b', type: 'set', needs: ['call'], with: { value: 1 } },
      ]);
      server.on('/quick', (_, response) => setTimeout(() => json(response, {}), 30));
      const acknowledged: string[] = [];
      let stop = false;
      const starters = Array.from({ length: 10 }, async () => {
        while (!stop)
          try {
            acknowledged.push((await calls.start(workflow)).id);
          } catch {
            await pause(5);
          }
      });
      await until('acknowledged starts', () => acknowledged.length > 0);
      await pause(200);
      await own.stop().catch(() => undefined);
      service = undefined;
      stop = true;
      await Promise.all(starters);
      const store = await ExecutionStore.open(database.settings);
      try {
        const held = await store.dataSource.query<unknown[]>(
          'SELECT id FROM executions WHERE lease_owner IS NOT NULL',
        );
        expect(held).toEqual([]);
        const lost = await store.dataSource.query<unknown[]>(
          `SELECT id, status FROM executions WHERE runnable_at IS NULL AND status NOT IN (${FINAL.map((status) => `'${status}'`).join(', ')})`,
        );
        expect(lost).toEqual([]);
      } finally {
        await store.close();
      }
    });

    it('a process with 20 slots runs at most 20 executions at a time, even if 2,000 executions are due', async () => {
      const { service: own, calls } = await open({ RUN_CONCURRENCY: '20' });
      const workflow = await calls.workflow([{ id: 'a', type: 'set', with: { value: 1 } }]);
      const runLoop = own.app.get(RunLoop, { strict: false });
      let most = 0;
      const watch = setInterval(() => (most = Math.max(most, runLoop.running().length)), 1);
      const at = new Date(Date.now() + 1_500).toISOString();
      const backlog = 2_000;
      for (let n = 0; n < backlog; n += 100)
        await Promise.all(Array.from({ length: 100 }, () => calls.start(workflow, { scheduled_for: at })));
      const count = async (status: string): Promise<number> =>
        (await own.get<{ pagination: { total: number } }>(`/v1/executions?limit=1&status=${status}`)).body
          .pagination.total;
      await until('the end of the backlog', async () => (await count('completed')) === backlog);
      clearInterval(watch);
      expect(most).toBeGreaterThan(0);
      expect(most).toBeLessThanOrEqual(20);
      expect(runLoop.running()).toEqual([]);
    });
  });

describe.skipIf(postgres === undefined)('a database that is unavailable for a time', () => {
  it('every acknowledged execution completes although the connection to the database is cut several times', async () => {
    if (postgres === undefined) return;
    const database = await postgres.create();
    const wire = await Wire.to(database.settings);
    const service = await TestService.start({
      database: wire.settings,
      environment: { EGRESS_ALLOW: server.address },
    });
    try {
      const calls = new ExecutionCalls(service);
      server.on('/work', (_, response) => setTimeout(() => json(response, {}), 20));
      const chain = Array.from({ length: 8 }, (_, n) =>
        http(`call_${n}`, '/work', n === 0 ? {} : { needs: [`call_${n - 1}`] }),
      );
      const workflow = await calls.workflow(chain);
      const acknowledged: string[] = [];
      const refused: unknown[] = [];
      for (let round = 0; round < 3; round += 1) {
        const starts = Array.from({ length: 20 }, async () => {
          const answer = await service.post<ExecutionView>(`/v1/workflows/${workflow}/executions`, {});
          if (answer.status === 201) acknowledged.push(answer.body.id);
          else refused.push([answer.status, answer.error.type]);
        });
        const before = acknowledged.length;
        await until('acknowledged starts', () => acknowledged.length > before + 3 * (round + 1));
        wire.cut();
        await Promise.all(starts);
        await pause(300);
        wire.mend();
        await pause(100);
      }
      expect(refused.filter((answer) => JSON.stringify(answer) !== '[503,"unavailable_error"]')).toEqual([]);
      expect(acknowledged.length).toBeGreaterThan(10);
      const { data } = (await service.get<{ data: readonly ExecutionView[] }>('/v1/executions?limit=100'))
        .body;
      const ids = new Set([...acknowledged, ...data.map(({ id }) => id)]);
      for (const id of ids) {
        expect(await calls.ended(id)).toMatchObject({ status: 'completed' });
        expect(
          journalFaults(
            await calls.events(id),
            chain.map((node) => String(node['id'])),
          ),
        ).toEqual([]);
      }
    } finally {
      await service.stop();
      await wire.close();
      await database.drop();
    }
  });
});

describe.skipIf(postgres === undefined)('a process that was suspended past its lease', () => {
  interface TwoProcesses {
    readonly stopped: ServiceProcess;
    /** A process that the test starts when it needs it. */
    readonly other: ServiceProcess;
    readonly own: ExecutionStore;
  }

  /** Runs a test with two processes on one new database, the first of which has started. */
  async function withTwoProcesses(
    settings: Readonly<Record<string, string>>,
    test: (processes: TwoProcesses) => Promise<void>,
  ): Promise<void> {
    if (postgres === undefined) return;
    const database = await postgres.create();
    const url = 'url' in database.settings ? database.settings.url : '';
    const environment = { DATABASE_URL: url, EGRESS_ALLOW: server.address, ...settings };
    const stopped = new ServiceProcess(environment);
    const other = new ServiceProcess(environment, stopped.token);
    let own: ExecutionStore | undefined;
    try {
      await stopped.start();
      own = await ExecutionStore.open(database.settings);
      await test({ stopped, other, own });
    } finally {
      stopped.signal('SIGCONT');
      await own?.close();
      await stopped.dispose();
      await other.dispose();
      await database.drop();
    }
  }

  it('a process that was suspended until its lease expired commits nothing to an execution that another process took over', async () => {
    await withTwoProcesses({}, async ({ stopped, other, own }) => {
      await other.start();
      let answerFirst: () => void = () => undefined;
      server.on('/twice', (_, response, call) => {
        if (call === 1) answerFirst = () => json(response, { by: 'the one that stood still' });
        else json(response, { by: 'the other' });
      });
      const nodes = [
        http('call', '/twice'),
        { id: 'out', type: 'set', with: { value: '{{ nodes.call.output.body.by }}' } },
      ];
      const workflow = await stopped.call<{ id: string }>('POST', '/v1/workflows', {
        name: 'fenced',
        nodes,
      });
      const { id } = await stopped.call<ExecutionView>('POST', `/v1/workflows/${workflow.id}/executions`, {});
      await until('the first call', () => server.count('/twice') === 1);
      stopped.signal('SIGSTOP');
      // Backdates the heartbeat. Otherwise, the lease would expire only twenty seconds after the last heartbeat.
      await own.writer.commit({
        writes: [
          {
            sql: "UPDATE instances SET last_seen_at = now() - interval '1 minute' WHERE pid = $1",
            parameters: [stopped.pid],
          },
        ],
      });
      await until('the end of the execution in the other process', async () =>
        FINAL.includes((await other.call<ExecutionView>('GET', `/v1/executions/${id}`)).status),
      );
      answerFirst();
      stopped.signal('SIGCONT');
      const again = await stopped.call<ExecutionView>(
        'POST',
        `/v1/workflows/${workflow.id}/executions?wait=60`,
        {},
      );
      expect(again).toMatchObject({ status: 'completed' });
      await pause(300);
      const { data } = await other.call<{ data: readonly EventView[] }>(
        'GET',
        `/v1/executions/${id}/events?limit=100`,
      );
      expect(journalFaults(data, ['call', 'out'])).toEqual([]);
      expect(await stopped.call('GET', `/v1/executions/${id}`)).toMatchObject({
        status: 'completed',
        output: 'the other',
      });
      expect(data.filter(({ type }) => type === 'workflow.recovered')).toHaveLength(1);
      const instances = async (): Promise<number> =>
        (await own.dataSource.query<unknown[]>('SELECT id FROM instances')).length;
      await until('the return of the resumed process', async () => (await instances()) === 2);
    });
  });

  it('a process that is suspended during a commit does not run the next node if its lease has expired', async () => {
    // The timeout is longer than the suspension, so that the resumed process still accepts the reply to its commit.
    await withTwoProcesses({ DATABASE_TIMEOUT_SECONDS: '300' }, async ({ stopped, other, own }) => {
      let answerFirst: () => void = () => undefined;
      server.on('/first', (_, response) => (answerFirst = () => json(response, {})));
      server.on('/second', (_, response) => json(response, {}));
      const nodes = [http('first', '/first'), http('second', '/second', { needs: ['first'] })];
      const workflow = await stopped.call<{ id: string }>('POST', '/v1/workflows', { name: 'held', nodes });
      const { id } = await stopped.call<ExecutionView>('POST', `/v1/workflows/${workflow.id}/executions`, {});
      await until('the first call', () => server.count('/first') === 1);
      await other.start();
      // The service commits before it calls `/second`. This commit waits for the table lock while the
      // process is suspended.
      const lock = own.dataSource.createQueryRunner();
      await lock.startTransaction();
      await lock.query('LOCK TABLE journal IN SHARE MODE');
      answerFirst();
      await until('a commit that waits for the lock', async () => {
        const waiting = (await lock.query(
          "SELECT 1 FROM pg_locks l JOIN pg_class c ON c.oid = l.relation WHERE NOT l.granted AND c.relname = 'journal'",
        )) as unknown[];
        return waiting.length > 0;
      });
      stopped.signal('SIGSTOP');
      await lock.rollbackTransaction();
      await lock.release();
      // The other process takes over the execution when the last heartbeat of the suspended process is twenty seconds
      // old.
      await until('the end of the execution in the other process', async () =>
        FINAL.includes((await other.call<ExecutionView>('GET', `/v1/executions/${id}`)).status),
      );
      expect(server.count('/second')).toBe(1);
      stopped.signal('SIGCONT');
      const again = await stopped.call<ExecutionView>('POST', `/v1/workflows/${workflow.id}/executions`, {});
      await until('the call of the second execution', () => server.count('/first') === 2);
      answerFirst();
      await until('the end of the second execution', async () =>
        FINAL.includes((await other.call<ExecutionView>('GET', `/v1/executions/${again.id}`)).status),
      );
      expect(server.count('/second')).toBe(2);
    });
  });
});
