import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/expressions/index.js';
import { Recovery } from '../../src/execution-runner/recovery/recovery.js';
import { newId } from '../../src/platform/index.js';
import { Writer } from '../../src/storage/index.js';
import { databaseKinds, type TestDatabase } from '../support/database.js';
import { ExecutionStore } from '../support/execution-store.js';
import { ExecutionCalls, type ExecutionView } from '../support/execution-views.js';
import { TestService } from '../support/service.js';
import { until } from '../support/until.js';

const wait = (id: string, signal: string): JsonObject => ({ id, type: 'wait', with: { signal } });
const child = (id: string, workflowId: string, more: JsonObject = {}): JsonObject => ({
  id,
  type: 'workflow',
  with: { workflow_id: workflowId },
  ...more,
});
/** A loop node that starts a child workflow for each item. */
const forEach = (workflowId: string, items: number, more: JsonObject = {}): JsonObject => ({
  id: 'loop',
  type: 'foreach',
  with: {
    items: Array.from({ length: items }, (_, index) => index),
    nodes: [child('child', workflowId)],
    ...more,
  },
});

for (const kind of await databaseKinds())
  describe(`a tree of executions on ${kind.name}`, () => {
    let database: TestDatabase;
    let service: TestService | undefined;
    let calls: ExecutionCalls;
    let store: ExecutionStore | undefined;

    const open = async (environment: Readonly<Record<string, string>> = {}): Promise<TestService> => {
      database = await kind.create();
      service = await TestService.start({ database: database.settings, environment });
      calls = new ExecutionCalls(service);
      return service;
    };
    const rows = async <Row>(sql: string): Promise<readonly Row[]> => {
      store ??= await ExecutionStore.open(database.settings);
      return store.dataSource.query<readonly Row[]>(sql);
    };
    const count = async (condition: string): Promise<number> => {
      const [row] = await rows<{ n: number | string }>(
        `SELECT count(*) AS n FROM executions WHERE ${condition}`,
      );
      return Number(row?.n);
    };
    const noneUnfinished = (): Promise<unknown> =>
      until('the end of all executions', async () => (await count('finished_at IS NULL')) === 0);
    const childrenOf = async (id: string): Promise<readonly { id: string; status: string }[]> =>
      rows(`SELECT id, status FROM executions WHERE parent_id = '${id}' ORDER BY id`);

    afterEach(async () => {
      await store?.close();
      store = undefined;
      await service?.stop();
      service = undefined;
      await database.drop();
    });

    it('a node fails if it would start more descendants than MAX_DESCENDANTS allows for the root execution', async () => {
      await open({ MAX_DESCENDANTS: '5' });
      const inner = await calls.workflow([{ id: 'a', type: 'set', with: { value: 1 } }]);
      const middle = await calls.workflow([forEach(inner, 3)]);
      const outer = await calls.workflow([forEach(middle, 4)]);
      const { id } = await calls.start(outer);
      const ended = await calls.ended(id);
      expect(ended.status).toBe('failed');
      expect(JSON.stringify(ended.error)).toContain('too_many_descendants');
      await noneUnfinished();
      expect(await count('parent_id IS NOT NULL')).toBe(5);
      expect(await count(`root_id = '${id}'`)).toBe(5);
    });

    it('at most MAX_DESCENDANTS descendants start, even if a loop starts many at the same time', async () => {
      await open({ MAX_DESCENDANTS: '7' });
      const inner = await calls.workflow([wait('a', 'go')]);
      const outer = await calls.workflow([forEach(inner, 40, { max_concurrency: 20 })]);
      expect((await calls.ended((await calls.start(outer)).id)).status).toBe('failed');
      await noneUnfinished();
      expect(await count('parent_id IS NOT NULL')).toBe(7);
    });

    it('start requests beyond MAX_UNFINISHED_EXECUTIONS are rejected with 409 too_many_executions', async () => {
      const own = await open({ MAX_UNFINISHED_EXECUTIONS: '3' });
      const workflow = await calls.workflow([wait('a', 'go')]);
      const start = () => own.post<ExecutionView>(`/v1/workflows/${workflow}/executions`, {});
      const answers = await Promise.all(Array.from({ length: 10 }, start));
      const started = answers.filter(({ status }) => status === 201);
      expect(started).toHaveLength(3);
      const refused = answers.find(({ status }) => status !== 201);
      expect(refused).toMatchObject({
        status: 409,
        error: { type: 'conflict_error', code: 'too_many_executions', details: { limit: 3 } },
      });
      await own.post(`/v1/executions/${started[0]?.body.id}/cancel`);
      await until('a start below MAX_UNFINISHED_EXECUTIONS', async () => (await start()).status === 201);
      expect(await count('finished_at IS NULL')).toBe(3);
    });

    it('at the limit MAX_UNFINISHED_EXECUTIONS, `return_existing` and `cancel_existing` still work', async () => {
      const own = await open({ MAX_UNFINISHED_EXECUTIONS: '1' });
      const workflow = await calls.workflow([wait('a', 'go')]);
      const start = (on_conflict: string) =>
        own.post<ExecutionView>(`/v1/workflows/${workflow}/executions`, {
          deduplication: { key: 'k', on_conflict },
        });
      const { body: first } = await start('fail');
      expect(await start('return_existing')).toMatchObject({ status: 200, body: { id: first.id } });
      const { status, body: second } = await start('cancel_existing');
      expect(status).toBe(201);
      expect(second.id).not.toBe(first.id);
      expect(await calls.read(first.id)).toMatchObject({ status: 'cancelled' });
    });

    it('no descendant starts after the root execution was cancelled', async () => {
      const own = await open();
      const { body } = await own.post<{ id: string }>('/v1/workflows', {
        name: 'fork',
        nodes: [wait('a', 'b')],
      });
      await own.patch(`/v1/workflows/${body.id}`, { nodes: [forEach(body.id, 20)] });
      const { id } = await calls.start(body.id);
      await until('a tree of more than 300 executions', async () => (await count(`root_id = '${id}'`)) > 300);
      const answer = await own.post<ExecutionView>(`/v1/executions/${id}/cancel`, { reason: 'Enough.' });
      expect(answer).toMatchObject({ status: 200, body: { status: 'cancelled' } });
      // On PostgreSQL, a commit that was in progress during the cancellation may become visible after the response, so
      // the test waits 300 ms.
      if (kind.name === 'postgres') await pause(300);
      const there = await count(`root_id = '${id}'`);
      await noneUnfinished();
      expect(await count(`root_id = '${id}'`)).toBe(there);
      await until(
        'the end of the cancellation job',
        async () => (await rows('SELECT id FROM cancellation_jobs')).length === 0,
      );
    });

    it('the explain endpoint returns the number of unfinished descendants of a cancelled execution', async () => {
      const own = await open();
      const inner = await calls.workflow([wait('a', 'go')]);
      const middle = await calls.workflow([forEach(inner, 50, { max_concurrency: 50 })]);
      const outer = await calls.workflow([forEach(middle, 30, { max_concurrency: 30 })]);
      const { id } = await calls.start(outer);
      await until(
        'the children',
        async () => (await count(`root_id = '${id}' AND status = 'waiting'`)) >= 1_000,
      );
      await own.post(`/v1/executions/${id}/cancel`);
      const { body: explained } = await own.get<{ cause: string; details: JsonObject }>(
        `/v1/executions/${id}/explain`,
      );
      expect(explained.cause).toBe('ended');
      // On a fast machine, all descendants may have ended already. If some descendants are still unfinished, the
      // explanation must contain their number.
      if ((await count(`root_id = '${id}' AND finished_at IS NULL`)) > 0)
        expect(explained.details['descendants']).toMatchObject({ unfinished: expect.any(Number) as number });
      await noneUnfinished();
      const after = await own.get<{ details: JsonObject }>(`/v1/executions/${id}/explain`);
      expect(after.body.details).toEqual({});
    });

    it('after a crash during the cancellation of a tree, the service ends the remaining executions', async () => {
      const own = await open();
      const leaf = await calls.workflow([wait('a', 'go')]);
      const middle = await calls.workflow([child('down', leaf)]);
      const { id } = await calls.start(await calls.workflow([child('down', middle)]));
      await until('the leaf', async () => (await count(`root_id = '${id}' AND status = 'waiting'`)) === 2);
      const now = new Date().toISOString();
      // Creates the state after a crash: the root is cancelled, and the cancellation job belongs to a crashed process.
      await own.app.get(Writer, { strict: false }).commit({
        writes: [
          {
            sql: `UPDATE executions SET status = 'cancelled', finished_at = '${now}', runnable_at = NULL WHERE id = '${id}'`,
            parameters: [],
          },
          {
            sql: `INSERT INTO cancellation_jobs (id, kind, subject_id, reason, owner, created_at) VALUES ('${id}', 'tree', '${id}', NULL, '${newId()}', '${now}')`,
            parameters: [],
          },
        ],
      });
      const [middleRun] = await childrenOf(id);
      const { body: explained } = await own.get<JsonObject>(`/v1/executions/${middleRun?.id}/explain`);
      expect(explained).toMatchObject({ cause: 'ancestor_ended', holder: { type: 'execution', id } });
      await own.app.get<Recovery, { poll(): Promise<void> }>(Recovery, { strict: false }).poll();
      await noneUnfinished();
      await until(
        'the end of the cancellation job',
        async () => (await rows('SELECT id FROM cancellation_jobs')).length === 0,
      );
    });

    it('a waiting child execution whose root execution has ended is cancelled when a signal arrives', async () => {
      const own = await open();
      const inner = await calls.workflow([
        wait('a', 'go'),
        { id: 'b', type: 'set', needs: ['a'], with: { value: 1 } },
      ]);
      const { id } = await calls.start(await calls.workflow([child('down', inner)]));
      await until('the child', async () => (await count(`root_id = '${id}' AND status = 'waiting'`)) === 1);
      await own.app.get(Writer, { strict: false }).commit({
        writes: [
          {
            sql: `UPDATE executions SET status = 'failed', finished_at = '${new Date().toISOString()}', runnable_at = NULL WHERE id = '${id}'`,
            parameters: [],
          },
        ],
      });
      const [made] = await childrenOf(id);
      await own.post(`/v1/executions/${made?.id}/signals/go`, { payload: null });
      expect(await calls.ended(made?.id ?? '')).toMatchObject({
        status: 'cancelled',
        status_reason: `Its parent ${id} has ended.`,
      });
    });

    it('the cancellation of a child execution does not affect its siblings', async () => {
      const own = await open();
      const leaf = await calls.workflow([wait('a', 'go')]);
      const middle = await calls.workflow([child('down', leaf)]);
      const nodes = [
        child('left', middle, { on_error: 'continue' }),
        child('right', middle, { on_error: 'continue' }),
      ];
      const { id } = await calls.start(await calls.workflow(nodes));
      await until('the leaves', async () => (await count(`root_id = '${id}' AND status = 'waiting'`)) === 4);
      const [left, right] = await childrenOf(id);
      await own.post(`/v1/executions/${left?.id}/cancel`);
      await until('the end of the left leaf', async () =>
        (await childrenOf(left?.id ?? '')).every(({ status }) => status === 'cancelled'),
      );
      // The parent execution resumes to record the end of the left child, and then waits again for the right child.
      await calls.until(id, ({ status, progress }) => status === 'waiting' && progress.completed === 1);
      expect((await childrenOf(right?.id ?? '')).map(({ status }) => status)).toEqual(['waiting']);
    });

    it('all descendants are cancelled when the root execution times out', async () => {
      await open();
      const leaf = await calls.workflow([wait('a', 'go')]);
      const middle = await calls.workflow([child('down', leaf)]);
      const outer = await calls.workflow([child('down', middle)], { config: { timeout_seconds: 1 } });
      const { id } = await calls.start(outer);
      expect((await calls.ended(id)).status).toBe('timed_out');
      await noneUnfinished();
      expect(await count("status = 'cancelled'")).toBe(2);
    });

    it.each(['workflow', 'session', 'project'])(
      'deleting a %s with `?cancel=true` cancels its executions in the background',
      async (owner) => {
        const own = await open();
        const { body: project } = await own.post('/v1/projects', { name: 'Doomed' });
        const { body: session } = await own.post('/v1/sessions', { project_id: project.id });
        const workflow = await calls.workflow([wait('a', 'go')], { project_id: project.id });
        for (let n = 0; n < 300; n += 50)
          await Promise.all(
            Array.from({ length: 50 }, () => calls.start(workflow, { session_id: session.id })),
          );
        const paths: Readonly<Record<string, string>> = {
          workflow: `/v1/workflows/${workflow}?cancel=true`,
          session: `/v1/sessions/${session.id}?cancel=true`,
          project: `/v1/projects/${project.id}?cancel=true`,
        };
        expect((await own.delete(paths[owner] ?? '')).status).toBe(204);
        await noneUnfinished();
        expect(await count("status = 'cancelled'")).toBe(300);
        await until(
          'the end of the cancellation job',
          async () => (await rows('SELECT id FROM cancellation_jobs')).length === 0,
        );
      },
    );
  });
