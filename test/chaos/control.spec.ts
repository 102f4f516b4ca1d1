import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/expressions/index.js';
import { insertMessage } from '../../src/inbox/message-row.js';
import { RunLoop } from '../../src/execution-runner/run-loop/run-loop.js';
import { newId } from '../../src/platform/index.js';
import { databaseKinds } from '../support/database.js';
import { cancelled, completed, ExecutionStore } from '../support/execution-store.js';
import { type EventView, ExecutionCalls, type ExecutionView } from '../support/execution-views.js';
import { FlakyServer, json } from '../support/flaky-server.js';
import { startSecond } from '../support/second-process.js';
import { ServiceProcess } from '../support/service-process.js';
import { TestService } from '../support/service.js';
import { until } from '../support/until.js';
import { journalFaults } from './journal-verdict.js';

const FINAL = ['completed', 'failed', 'cancelled', 'timed_out'];
const postgres = (await databaseKinds()).find(({ name }) => name === 'postgres');
const set = (id: string, value: string): JsonObject => ({ id, type: 'set', with: { value } });
const wait = (id: string, signal: string): JsonObject => ({ id, type: 'wait', with: { signal } });
const child = (workflowId: string): JsonObject => ({
  id: 'child',
  type: 'workflow',
  with: { workflow_id: workflowId },
});

describe('a service that crashes while executions receive messages', () => {
  let server: FlakyServer;
  let service: ServiceProcess;

  beforeAll(async () => {
    server = await FlakyServer.start();
    service = new ServiceProcess({ EGRESS_ALLOW: server.address, SHUTDOWN_GRACE_SECONDS: '3' });
    await service.start();
  });

  afterAll(async () => {
    await service?.dispose();
    await server?.stop();
  });

  beforeEach(() => server.calls.clear());

  const workflow = async (nodes: readonly JsonObject[]): Promise<string> =>
    (await service.call<{ id: string }>('POST', '/v1/workflows', { name: 'control', nodes })).id;
  const start = async (nodes: readonly JsonObject[]): Promise<string> =>
    (await service.call<ExecutionView>('POST', `/v1/workflows/${await workflow(nodes)}/executions`, {})).id;
  const read = (id: string): Promise<ExecutionView> => service.call('GET', `/v1/executions/${id}`);
  const events = async (id: string): Promise<readonly EventView[]> =>
    (await service.call<{ data: readonly EventView[] }>('GET', `/v1/executions/${id}/events?limit=100`)).data;
  const status = async (id: string, wanted: string): Promise<void> => {
    await until(wanted, async () => (await read(id)).status === wanted);
  };
  const childrenOf = async (id: string): Promise<readonly string[]> => {
    const { data } = await service.call<{ data: readonly (ExecutionView & { parent?: string })[] }>(
      'GET',
      '/v1/executions?trigger=parent&limit=100',
    );
    return data.filter(({ parent }) => parent === id).map((one) => one.id);
  };
  const expectWhole = async (id: string, nodes: readonly string[], output: unknown): Promise<void> => {
    await until('the end', async () => FINAL.includes((await read(id)).status));
    expect(await read(id)).toMatchObject({ status: 'completed', output });
    expect(journalFaults(await events(id), nodes)).toEqual([]);
  };
  const whileDown = async (work: (store: ExecutionStore) => Promise<void>): Promise<void> => {
    await service.kill();
    const path = `${service.directory}/workflow.sqlite`;
    const store = await ExecutionStore.open({ dialect: 'sqlite', path });
    try {
      await work(store);
    } finally {
      await store.close();
    }
    await service.start();
  };

  it('after a crash, a waiting execution consumes a stored signal whose notification was lost', async () => {
    const id = await start([wait('a', 'go'), set('out', '{{ nodes.a.output }}')]);
    await status(id, 'waiting');
    const message = { id: newId(), kind: 'signal', name: 'go', payload: 'kept', to: null } as const;
    await whileDown((store) =>
      store.writer.commit({ writes: [insertMessage(id, message, new Date().toISOString())] }),
    );
    await expectWhole(id, ['a', 'out'], 'kept');
  });

  it('a signal that a wait node consumed before a crash is not consumed again after the crash', async () => {
    server.on('/once_more', (_, response, call) => (call > 1 ? json(response, {}) : undefined));
    const id = await start([
      wait('a', 'go'),
      { id: 'call', type: 'http', needs: ['a'], with: { url: server.url('/once_more') } },
      { ...wait('b', 'go'), needs: ['call'] },
      { id: 'out', type: 'set', with: { value: ['{{ nodes.a.output }}', '{{ nodes.b.output }}'] } },
    ]);
    await status(id, 'waiting');
    for (const payload of [1, 2]) await service.call('POST', `/v1/executions/${id}/signals/go`, { payload });
    await until('the call', () => server.count('/once_more') === 1);
    await service.kill();
    await service.start();
    await expectWhole(id, ['a', 'call', 'b', 'out'], [1, 2]);
  });

  it('a paused execution stays paused after a crash and after a graceful restart', async () => {
    server.on('/paused', (_, response, call) => (call > 1 ? json(response, {}) : undefined));
    const id = await start([{ id: 'call', type: 'http', with: { url: server.url('/paused') } }]);
    await until('the call', () => server.count('/paused') === 1);
    expect(await service.call('POST', `/v1/executions/${id}/pause`, {})).toMatchObject({ status: 'paused' });
    await service.kill();
    await service.start();
    await until('the recovery', async () =>
      (await events(id)).some(({ type }) => type === 'workflow.recovered'),
    );
    expect(await read(id)).toMatchObject({ status: 'paused' });
    expect(server.count('/paused')).toBe(1);
    await service.terminate();
    await service.start();
    await pause(300);
    expect(await read(id)).toMatchObject({ status: 'paused' });
    await service.call('POST', `/v1/executions/${id}/resume`);
    await until('the end', async () => (await read(id)).status === 'completed');
    expect(server.count('/paused')).toBe(2);
  });

  it('an execution that is paused during an HTTP call stays paused after a graceful restart, and completes when resumed', async () => {
    server.on('/given_up', (_, response, call) => (call > 1 ? json(response, {}) : undefined));
    const id = await start([{ id: 'call', type: 'http', with: { url: server.url('/given_up') } }]);
    await until('the call', () => server.count('/given_up') === 1);
    await service.call('POST', `/v1/executions/${id}/pause`, {});
    await service.terminate();
    await service.start();
    await pause(500);
    expect(await read(id)).toMatchObject({ status: 'paused' });
    await service.call('POST', `/v1/executions/${id}/resume`);
    await until('the end', async () => (await read(id)).status === 'completed');
  });

  it('a parent execution starts no second child after a crash, and completes with the output of the first child', async () => {
    server.on('/child', (_, response, call) => (call > 1 ? json(response, {}) : undefined));
    const inner = await workflow([{ id: 'call', type: 'http', with: { url: server.url('/child') } }]);
    const id = await start([child(inner), set('out', '{{ nodes.child.output.status }}')]);
    await until('the call', () => server.count('/child') === 1);
    await service.kill();
    await service.start();
    await expectWhole(id, ['child', 'out'], 200);
    expect(await childrenOf(id)).toHaveLength(1);
  });

  it('a parent execution completes although a crash lost the notification that its child had ended', async () => {
    const id = await start([
      child(await workflow([wait('a', 'never')])),
      set('out', '{{ nodes.child.output }}'),
    ]);
    await status(id, 'waiting');
    await until('the child', async () => (await childrenOf(id)).length === 1);
    const [childId = ''] = await childrenOf(id);
    await status(childId, 'waiting');
    await whileDown(async (store) => {
      const left = await store.executions.find(childId);
      if (left === undefined) throw new Error('The execution has no child execution.');
      await store.executions.forceAppend(left, [completed('from the dark')]);
    });
    await expectWhole(id, ['child', 'out'], 'from the dark');
  });

  it('a child execution is cancelled after a restart if its parent was cancelled just before a crash', async () => {
    const id = await start([child(await workflow([wait('a', 'never')]))]);
    await until('the child', async () => (await childrenOf(id)).length === 1);
    const [childId = ''] = await childrenOf(id);
    await status(childId, 'waiting');
    await status(id, 'waiting');
    await whileDown(async (store) => {
      const left = await store.executions.find(id);
      if (left === undefined) throw new Error('The parent execution does not exist.');
      await store.executions.forceAppend(left, [cancelled()]);
    });
    await status(childId, 'cancelled');
  });
});

describe.skipIf(postgres === undefined)('an execution whose lease another process holds', () => {
  it('a signal, pause, resume or cancel request takes effect immediately on an execution that another process runs', async () => {
    if (postgres === undefined) return;
    const database = await postgres.create();
    const server = await FlakyServer.start();
    const environment = { EGRESS_ALLOW: server.address };
    const holder = await TestService.start({ database: database.settings, environment });
    const other = await startSecond(database.settings, environment);
    try {
      const calls = new ExecutionCalls(holder);
      let release: () => void = () => undefined;
      server.on('/held', (_, response) => (release = () => json(response, {})));
      const { id } = await calls.start(
        await calls.workflow([
          { id: 'call', type: 'http', with: { url: server.url('/held') } },
          wait('a', 'go'),
          { id: 'out', type: 'set', needs: ['call'], with: { value: '{{ nodes.a.output }}' } },
        ]),
      );
      await until('the call', () => server.count('/held') === 1);
      expect(holder.app.get(RunLoop, { strict: false }).running()).toHaveLength(1);
      // These requests go to a process that does not hold the lease of the execution. That process notifies the lease
      // holder. Polling, which happens only every few seconds, would be too slow for this test.
      const ask = async (path: string, body?: JsonObject): Promise<Response> =>
        fetch(`${other.url}/v1/executions/${id}/${path}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${holder.key}`, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
      expect((await ask('signals/go', { payload: 'from afar' })).status).toBe(202);
      await until('the signal', async () => (await calls.nodes(id)).get('a')?.status === 'completed');
      const paused = await ask('pause');
      expect([paused.status, await paused.json()]).toMatchObject([200, { status: 'paused' }]);
      expect((await ask('resume')).status).toBe(200);
      release();
      expect(await calls.ended(id)).toMatchObject({ output: 'from afar' });
      const { id: aborted } = await calls.start(
        await calls.workflow([{ id: 'call', type: 'http', with: { url: server.url('/held') } }]),
      );
      await until('the call', () => server.count('/held') === 2);
      const left = server.left.length;
      const cancel = await fetch(`${other.url}/v1/executions/${aborted}/cancel`, {
        method: 'POST',
        headers: { authorization: `Bearer ${holder.key}` },
      });
      expect(cancel.status).toBe(200);
      await until('the abort of the call', () => server.left.length > left);
    } finally {
      await other.close();
      await holder.stop();
      await server.stop();
      await database.drop();
    }
  });
});
