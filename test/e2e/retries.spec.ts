import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DataSource } from 'typeorm';
import type { JsonObject } from '../../src/expressions/index.js';
import { ExecutionNotFoundError } from '../../src/execution-store/execution.errors.js';
import { ReachableExecutions } from '../../src/execution-store/reachable-executions.js';
import { RetriesService } from '../../src/executions/retry/retries.service.js';
import { ExecutionsWorld } from '../support/executions-world.js';
import { databaseKinds } from '../support/database.js';
import { ExecutionCalls, type ExecutionView } from '../support/execution-views.js';
import { FlakyServer, json } from '../support/flaky-server.js';
import { type TestAnswer, TestService } from '../support/service.js';

const UNKNOWN_ID = '0199a8c0-0000-7000-8000-000000000000';

interface Retried extends ExecutionView {
  readonly attempt: number;
  readonly retry_of: string | null;
  readonly trigger: JsonObject;
  readonly session_id: string | null;
}
interface Bulk {
  readonly matched: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly errors: readonly { readonly execution_id: string; readonly code: string }[];
  readonly has_more: boolean;
}

describe.each(await databaseKinds())('retries on $name', (kind) => {
  let world: ExecutionsWorld;
  let service: TestService;
  let server: FlakyServer;
  let calls: ExecutionCalls;

  beforeAll(async () => {
    world = await ExecutionsWorld.on(kind);
    ({ service, server, calls } = world);
  });
  afterAll(() => world?.end());
  beforeEach(() => {
    server.calls.clear();
    server.on('/ok', (_, response, call) => json(response, { call }));
    server.on('/heals', (_, response, call) => json(response, { call }, call === 1 ? 503 : 200));
    server.on('/broken', (_, response) => json(response, {}, 503));
  });

  const http = (id: string, path: string, more: JsonObject = {}): JsonObject => ({
    id,
    type: 'http',
    with: { method: 'POST', url: server.url(path) },
    ...more,
  });
  const retry = (
    { id }: { readonly id: string },
    body?: JsonObject,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<TestAnswer<Retried>> => service.post(`/v1/executions/${id}/retry`, body, { headers });
  const run = (workflow: string, body: JsonObject = {}): Promise<ExecutionView> =>
    calls.start(workflow, body, '?wait=60');

  describe('the retry of an execution', () => {
    it.each(['journal', 'payloads'])(
      'a retry fails with ExecutionNotFoundError if the table %s no longer contains rows of the original execution',
      async (table) => {
        server.on('/long', (_, response) => json(response, 'x'.repeat(20_000)));
        const { id } = await run(
          await calls.workflow([http('a', '/long'), http('b', '/broken', { needs: ['a'] })]),
        );
        const source = await service.app.get(ReachableExecutions, { strict: false }).read(service.admin, id);
        await service.app.get(DataSource).query(`DELETE FROM ${table} WHERE execution_id = '${id}'`);
        const retries = service.app.get(RetriesService, { strict: false });
        await expect(
          retries.retry(service.admin, source, { from: 'failed', version: 'same' }),
        ).rejects.toThrow(ExecutionNotFoundError);
        expect(server.count('/long')).toBe(1);
      },
    );

    it('a retry is a new execution that repeats failed nodes and reuses the results of completed nodes', async () => {
      const workflow = await calls.workflow(
        [
          http('first', '/ok'),
          { id: 'never', type: 'set', if: 'false', with: { value: 1 } },
          http('second', '/heals', { needs: ['first'] }),
          {
            id: 'last',
            type: 'set',
            with: { value: '{{ nodes.first.output.body.call + nodes.second.output.body.call }}' },
          },
        ],
        {},
      );
      const source = await run(workflow, { input: { n: 1 }, metadata: { order: '4711' }, priority: 7 });
      expect(source.status).toBe('failed');
      const { status, headers, body } = await retry(source);
      expect(status).toBe(201);
      expect(headers.get('location')).toBe(`/v1/executions/${body.id}`);
      expect(body).toMatchObject({
        retry_of: source.id,
        attempt: 2,
        trigger: { type: 'retry', id: source.id },
        input: { n: 1 },
        metadata: { order: '4711' },
        priority: 7,
        progress: { completed: 2, total: 4 },
      });
      const ended = await calls.ended(body.id);
      expect(ended).toMatchObject({ status: 'completed', progress: { completed: 4, total: 4 } });
      expect(ended.output).toMatchObject({ never: null, last: 3 });
      expect([server.count('/ok'), server.count('/heals')]).toEqual([1, 2]);
      const events = await calls.events(body.id);
      expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
      expect(events[0]).toMatchObject({ type: 'workflow.queued', data: { retry_of: source.id, attempt: 2 } });
      expect(
        events.filter(({ data }) => data['reused_from'] === source.id).map(({ node_id }) => node_id),
      ).toEqual(['first']);
      expect(await calls.read(source.id)).toEqual(source);
      const again = await retry(body, { from: 'last' });
      expect(again.body).toMatchObject({ attempt: 3, retry_of: body.id });
      expect((await calls.ended(again.body.id)).output).toMatchObject({ last: 3 });
      expect(
        (await calls.events(again.body.id))
          .filter(({ type }) => type === 'workflow.node.complete')
          .map(({ node_id, data }) => [node_id, data['reused_from']]),
      ).toEqual([
        ['first', source.id],
        ['second', body.id],
        ['last', undefined],
      ]);
    });

    it('a retry with `from: start` repeats all nodes and accepts a different input', async () => {
      const workflow = await calls.workflow([
        http('call', '/ok'),
        { id: 'say', type: 'set', with: { value: '{{ input }}' }, needs: ['call'] },
      ]);
      const source = await run(workflow, { input: 'one' });
      const same = await retry(source, { from: 'start' });
      expect((await calls.ended(same.body.id)).output).toBe('one');
      const other = await retry(source, { from: 'start', input: 'two' });
      expect(other.body.input).toBe('two');
      expect((await calls.ended(other.body.id)).output).toBe('two');
      const nothing = await retry(source, { from: 'start', input: null });
      expect((await calls.ended(nothing.body.id)).output).toBeNull();
      expect(server.count('/ok')).toBe(4);
    });

    it('a retry from a given node repeats this node and the nodes that depend on it', async () => {
      const workflow = await calls.workflow([
        http('a', '/ok'),
        http('b', '/ok', { needs: ['a'] }),
        http('c', '/ok', { needs: ['b'] }),
        http('d', '/ok', { needs: ['a'] }),
      ]);
      const source = await run(workflow);
      const { body } = await retry(source, { from: 'b' });
      await calls.ended(body.id);
      expect(server.count('/ok')).toBe(6);
    });

    it('a retry with `version: latest` repeats failed nodes and completed nodes whose parameters changed', async () => {
      const workflow = await calls.workflow([
        http('a', '/ok'),
        http('b', '/ok', { needs: ['a'] }),
        http('c', '/broken', { needs: ['b'] }),
      ]);
      const source = await run(workflow);
      const nodes = [
        http('a', '/ok', { retry: { max_attempts: 2 } }),
        http('b', '/ok', { needs: ['a'], with: { method: 'PUT', url: server.url('/ok') } }),
        http('c', '/ok', { needs: ['b'] }),
      ];
      await service.patch(`/v1/workflows/${workflow}`, { nodes });
      const { body } = await retry(source, { version: 'latest' });
      expect(body).toMatchObject({ workflow_version: 2, progress: { completed: 1, total: 3 } });
      expect((await calls.ended(body.id)).status).toBe('completed');
      const before = await retry(source, { version: 'same' });
      expect(before.body).toMatchObject({ workflow_version: 1, progress: { completed: 2, total: 3 } });
      expect((await calls.ended(before.body.id)).status).toBe('failed');
    });

    it('a retry runs the requested workflow version and responds 404 if the version does not exist', async () => {
      const workflow = await calls.workflow([http('a', '/broken')]);
      const source = await run(workflow);
      await service.patch(`/v1/workflows/${workflow}`, { nodes: [http('a', '/ok')] });
      await service.patch(`/v1/workflows/${workflow}`, {
        nodes: [http('a', '/broken', { timeout_seconds: 9 })],
      });
      const second = await retry(source, { from: 'start', version: 2 });
      expect(second.body).toMatchObject({ workflow_version: 2, retry_of: source.id });
      expect((await calls.ended(second.body.id)).status).toBe('completed');
      const missing = await retry(source, { version: 4 });
      expect([missing.status, missing.error.code]).toEqual([404, 'workflow_version_not_found']);
    });

    it('the filter `retry_of` lists the retries of an execution and can be combined with other filters', async () => {
      const workflow = await calls.workflow([http('a', '/broken')]);
      const source = await run(workflow);
      const first = (await retry(source)).body;
      const second = (await retry(source)).body;
      const ofFirst = (await retry(await calls.ended(first.id))).body;
      await calls.ended(second.id);
      await calls.ended(ofFirst.id);
      const listed = async (query: string): Promise<readonly unknown[]> => {
        const { body } = await service.get<{
          readonly data: readonly { readonly id: string }[];
          readonly pagination: { readonly total: number };
        }>(`/v1/executions?${query}`);
        return [body.pagination.total, ...body.data.map(({ id }) => id)];
      };
      expect(await listed(`retry_of=${source.id.toUpperCase()}`)).toEqual([2, second.id, first.id]);
      expect(await listed(`retry_of=${first.id}&workflow_id=${workflow}`)).toEqual([1, ofFirst.id]);
      expect(await listed(`retry_of=${source.id}&status=failed&limit=1`)).toEqual([2, second.id]);
      expect(await listed(`retry_of=${source.id}&status=completed`)).toEqual([0]);
      expect(await listed(`retry_of=${ofFirst.id}`)).toEqual([0]);
    });

    it('a retry of a cancelled or timed-out execution reuses the outputs of completed nodes', async () => {
      const value = 'x'.repeat(50_000);
      const nodes = (seconds: number): readonly JsonObject[] => [
        { id: 'long', type: 'set', with: { value } },
        { id: 'nap', type: 'delay', with: { seconds }, needs: ['long'] },
      ];
      const late = await run(await calls.workflow(nodes(2), { config: { timeout_seconds: 1 } }));
      expect(late.status).toBe('timed_out');
      const cancelled = await calls.start(await calls.workflow(nodes(600)));
      await calls.until(cancelled.id, ({ status }) => status === 'waiting');
      await service.post(`/v1/executions/${cancelled.id}/cancel`);
      for (const source of [late, cancelled]) {
        const { status, body } = await retry(source);
        expect([status, body.progress]).toEqual([201, { completed: 1, total: 2 }]);
        const nodesOf = await calls.nodes(body.id);
        expect(nodesOf.get('long')?.output === value).toBe(true);
        await service.post(`/v1/executions/${body.id}/cancel`);
      }
    });

    it('a retry repeats a failed node that has `on_error: continue`', async () => {
      const workflow = await calls.workflow([http('a', '/heals', { on_error: 'continue' })]);
      const source = await run(workflow);
      expect(source.status).toBe('completed');
      const { body } = await retry(source);
      expect((await calls.ended(body.id)).output).toMatchObject({ status: 200 });
    });

    it('the API responds 409 to a retry if the execution is unfinished or has no failed node', async () => {
      const napping = await calls.start(
        await calls.workflow([{ id: 'nap', type: 'delay', with: { seconds: 600 } }]),
      );
      const unfinished = await retry(napping);
      expect([unfinished.status, unfinished.error.code]).toEqual([409, 'execution_not_finished']);
      await service.post(`/v1/executions/${napping.id}/cancel`);
      const done = await run(await calls.workflow([http('a', '/ok')]));
      const nothing = await retry(done);
      expect([nothing.status, nothing.error.code]).toEqual([409, 'nothing_failed']);
    });

    it.each<[JsonObject, number, string]>([
      [{ from: 'nobody' }, 400, 'from'],
      [{ from: 3 }, 400, 'from'],
      [{ input: 1 }, 400, 'input'],
      [{ from: 'a', input: 1 }, 400, 'input'],
      [{ version: 'newest' }, 400, 'version'],
      [{ version: 0 }, 400, 'version'],
      [{ version: 1.5 }, 400, 'version'],
      [{ more: 1 }, 400, 'more'],
    ])('the API rejects a retry request with the invalid body %j', async (body, status, field) => {
      const source = await run(await calls.workflow([http('a', '/broken')]));
      const answer = await retry(source, body);
      expect([answer.status, answer.error.details?.['field']]).toEqual([status, field]);
    });

    it('a retry request must pass the checks of a start request: workflow status, input, session and deduplication key', async () => {
      const workflow = await calls.workflow([http('a', '/broken')]);
      const { id: session_id } = (await service.post('/v1/sessions', {})).body;
      const source = await run(workflow, { session_id, deduplication: { key: 'order' }, input: 'text' });
      expect((await retry(source)).body.session_id).toBe(session_id);
      const napping = await calls.workflow([{ id: 'nap', type: 'delay', with: { seconds: 600 } }]);
      const held = await calls.start(napping, { deduplication: { key: 'order' } });
      await service.post(`/v1/executions/${held.id}/cancel`);
      const holder = await calls.start(napping, { deduplication: { key: 'order' } });
      const duplicate = await retry(held);
      expect([duplicate.error.code, duplicate.error.details]).toEqual([
        'duplicate_execution',
        { execution_id: holder.id },
      ]);
      await service.patch(`/v1/workflows/${workflow}`, { input_schema: { type: 'number' } });
      const broken = await retry(source, { version: 'latest' });
      expect([broken.status, broken.error.code]).toEqual([400, 'invalid_input']);
      await service.post(`/v1/sessions/${session_id}/close`);
      expect((await retry(source)).error.code).toBe('session_closed');
      await service.patch(`/v1/workflows/${workflow}`, { status: 'paused' });
      expect((await retry(source)).error.code).toBe('workflow_not_active');
      expect((await retry({ id: UNKNOWN_ID })).status).toBe(404);
    });

    it('repeated retry requests with the same Idempotency-Key create one retry', async () => {
      const source = await run(await calls.workflow([http('a', '/broken')]));
      const key = { 'idempotency-key': `retry-${source.id}` };
      const [first, second] = [await retry(source, {}, key), await retry(source, {}, key)];
      expect([first.body.id, second.status]).toEqual([second.body.id, 201]);
      expect(second.headers.get('idempotent-replayed')).toBe('true');
    });
  });

  describe('bulk operations', () => {
    const bulk = (body: unknown): Promise<TestAnswer<Bulk>> => service.post('/v1/executions/bulk', body);
    const nap = (): Promise<string> => calls.workflow([{ id: 'nap', type: 'delay', with: { seconds: 600 } }]);

    it('a bulk cancellation cancels only the executions that match its filter', async () => {
      const [workflow_id, other] = [await nap(), await nap()];
      const all = await Promise.all(
        [1, 2, 3].map((n) => calls.start(workflow_id, { metadata: { part: n === 3 ? 'b' : 'a' } })),
      );
      const spared = await calls.start(other);
      const first = await bulk({
        action: 'cancel',
        filter: { workflow_id, metadata: { part: 'a' } },
        reason: 'Enough.',
      });
      expect([first.status, first.body]).toEqual([
        200,
        { matched: 2, succeeded: 2, failed: 0, errors: [], has_more: false },
      ]);
      expect(await calls.read(all[0]?.id ?? '')).toMatchObject({
        status: 'cancelled',
        status_reason: 'Enough.',
      });
      expect((await calls.read(all[2]?.id ?? '')).status).not.toBe('cancelled');
      const ids = [...all.map(({ id }) => id), spared.id];
      expect((await bulk({ action: 'cancel', filter: { ids } })).body).toMatchObject({ matched: 2 });
      expect((await bulk({ action: 'cancel', filter: { ids } })).body).toMatchObject({ matched: 0 });
    });

    it('a bulk retry retries each failed execution once, even if the bulk retry is requested again', async () => {
      const workflow_id = await calls.workflow([http('a', '/ok'), http('b', '/heals', { needs: ['a'] })]);
      server.on('/heals', (_, response, call) => json(response, { call }, call <= 3 ? 503 : 200));
      for (let n = 0; n < 3; n += 1) await run(workflow_id);
      const done = await run(workflow_id);
      expect(done.status).toBe('completed');
      const filter = { workflow_id, created_after: '2020-01-01T00:00:00Z' };
      expect((await bulk({ action: 'retry', filter })).body).toMatchObject({ matched: 3, succeeded: 3 });
      expect((await bulk({ action: 'retry', filter })).body).toMatchObject({ matched: 0 });
      const { body } = await service.get<{ data: readonly ExecutionView[] }>(
        `/v1/executions?workflow_id=${workflow_id}&trigger=retry`,
      );
      for (const { id } of body.data) expect((await calls.ended(id)).status).toBe('completed');
      expect([body.data.length, server.count('/ok')]).toEqual([3, 4]);
    });

    it('a bulk retry reports executions that cannot be retried and retries the others', async () => {
      const workflow_id = await calls.workflow([http('a', '/broken')]);
      const { id: session_id } = (await service.post('/v1/sessions', {})).body;
      const failing = await run(workflow_id, { session_id });
      await run(workflow_id);
      await service.post(`/v1/sessions/${session_id}/close`);
      const { body } = await bulk({ action: 'retry', filter: { workflow_id } });
      expect(body).toMatchObject({ matched: 2, succeeded: 1, failed: 1 });
      expect(body.errors).toMatchObject([{ execution_id: failing.id, code: 'session_closed' }]);
    });

    it('a bulk operation handles 1,000 executions per request, and the next request handles the rest', async () => {
      const workflow_id = await nap();
      const later = { scheduled_for: new Date(Date.now() + 3_600_000).toISOString() };
      for (let n = 0; n < 1_020; n += 60)
        await Promise.all(Array.from({ length: 60 }, () => calls.start(workflow_id, later)));
      const filter = { workflow_id };
      expect((await bulk({ action: 'cancel', filter })).body).toMatchObject({
        matched: 1_000,
        succeeded: 1_000,
        has_more: true,
      });
      expect((await bulk({ action: 'cancel', filter })).body).toMatchObject({
        matched: 20,
        has_more: false,
      });
    });

    it('a bulk operation matches only executions that the caller can access', async () => {
      const workflow_id = await nap();
      const { id } = await calls.start(workflow_id);
      const { key } = await service.newStranger();
      for (const filter of [{ ids: [id] }, { workflow_id }, { status: ['waiting', 'running', 'queued'] }]) {
        const answer = await service.post<Bulk>('/v1/executions/bulk', { action: 'cancel', filter }, { key });
        expect([answer.status, answer.body.matched]).toEqual([200, 0]);
      }
      const elsewhere = await service.post(
        '/v1/executions/bulk',
        { action: 'cancel', filter: { project_id: service.project.id } },
        { key },
      );
      expect(elsewhere.status).toBe(403);
      expect((await calls.read(id)).status).not.toBe('cancelled');
      await service.post(`/v1/executions/${id}/cancel`);
    });

    it.each<[JsonObject, string]>([
      [{ action: 'cancel', filter: {} }, 'filter'],
      [{ action: 'cancel' }, 'filter'],
      [{ action: 'delete', filter: { ids: [UNKNOWN_ID] } }, 'action'],
      [{ action: 'cancel', filter: { ids: [] } }, 'filter.ids'],
      [{ action: 'cancel', filter: { status: ['ended'] } }, 'filter.status[0]'],
      [{ action: 'cancel', filter: { ids: ['x'] } }, 'filter.ids[0]'],
      [{ action: 'cancel', filter: { created_after: 'yesterday' } }, 'filter.created_after'],
      [{ action: 'cancel', filter: { metadata: { a: 1 } } }, 'filter.metadata.a'],
      [{ action: 'cancel', filter: { metadata: {} } }, 'filter'],
      [{ action: 'cancel', filter: { name: 'x' } }, 'filter.name'],
    ])('the API rejects the invalid bulk operation %j', async (body, field) => {
      const answer = await bulk(body);
      expect([answer.status, answer.error.details?.['field']]).toEqual([400, field]);
    });
  });
});
