import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../src/expressions/index.js';
import { newId } from '../../src/platform/index.js';
import { ExecutionsWorld } from '../support/executions-world.js';
import { databaseKinds } from '../support/database.js';
import { ExecutionCalls, type ExecutionView } from '../support/execution-views.js';
import { FlakyServer, json } from '../support/flaky-server.js';
import { TestService } from '../support/service.js';
import { until } from '../support/until.js';

const set = (id: string, value: Json, more: JsonObject = {}): JsonObject => ({
  id,
  type: 'set',
  with: { value },
  ...more,
});
const wait = (id: string, signal: string, more: JsonObject = {}): JsonObject => ({
  id,
  type: 'wait',
  with: { signal, ...more },
});

for (const kind of await databaseKinds())
  describe(`control on ${kind.name}`, () => {
    let world: ExecutionsWorld;
    let service: TestService;
    let server: FlakyServer;
    let calls: ExecutionCalls;

    beforeAll(async () => {
      world = await ExecutionsWorld.on(kind);
      ({ service, server, calls } = world);
    });

    afterEach(() => server.calls.clear());

    afterAll(() => world?.end());

    const http = (id: string, path: string, more: JsonObject = {}): JsonObject => ({
      id,
      type: 'http',
      with: { url: server.url(path) },
      ...more,
    });
    const send = (id: string, name: string, payload: Json = null, headers = {}) =>
      service.post<{ id: string; name: string; execution_id: string; created_at: string }>(
        `/v1/executions/${id}/signals/${name}`,
        { payload },
        { headers },
      );
    const begin = async (nodes: readonly JsonObject[], more: JsonObject = {}, body: JsonObject = {}) =>
      (await calls.start(await calls.workflow(nodes, more), body)).id;
    const asleep = (id: string): Promise<ExecutionView> =>
      calls.until(id, ({ status }) => status === 'waiting');
    const types = async (id: string): Promise<readonly string[]> =>
      (await calls.events(id)).map(({ type }) => type);

    describe('a signal', () => {
      it('a wait node returns the payload of its signal as output', async () => {
        const id = await begin([wait('paid', 'payment'), set('out', '{{ nodes.paid.output.amount }}')]);
        await asleep(id);
        const waiting = (await calls.events(id)).find(({ type }) => type === 'workflow.node.waiting');
        expect(waiting?.data).toMatchObject({ waiting_for: 'signal', signal: 'payment', wake_at: null });
        const { status, body } = await send(id, 'payment', { amount: 12 });
        expect([status, body]).toEqual([
          202,
          { id: expect.any(String), name: 'payment', execution_id: id, created_at: expect.any(String) },
        ]);
        expect(await calls.ended(id)).toMatchObject({ status: 'completed', output: 12 });
        const resumed = (await calls.events(id)).find(({ type }) => type === 'workflow.resumed');
        expect(resumed?.data).toEqual({ status: 'running', reason: 'signal' });
      });

      it('signals that arrive before their wait nodes start are kept and consumed in order', async () => {
        server.on('/slow', (_, response) => setTimeout(() => json(response, {}), 700));
        const id = await begin([
          http('first', '/slow'),
          { ...wait('a', 'go'), needs: ['first'] },
          { ...wait('b', 'go'), needs: ['a'] },
          set('out', ['{{ nodes.a.output }}', '{{ nodes.b.output }}']),
        ]);
        await until('the call', () => server.count('/slow') === 1);
        for (const payload of [1, 2]) expect((await send(id, 'go', payload)).status).toBe(202);
        expect(await calls.ended(id)).toMatchObject({ output: [1, 2] });
      });

      it('a signal with another name does not wake a waiting execution, and is kept for a later wait node', async () => {
        const id = await begin([
          wait('a', 'one'),
          { ...wait('b', 'two'), needs: ['a'] },
          set('out', '{{ nodes.b.output }}'),
        ]);
        await asleep(id);
        await send(id, 'two', 'early');
        await pause(300);
        expect(await calls.read(id)).toMatchObject({ status: 'waiting' });
        expect(await types(id)).toEqual([
          'workflow.queued',
          'workflow.started',
          'workflow.node.started',
          'workflow.node.waiting',
          'workflow.waiting',
        ]);
        await send(id, 'one');
        expect(await calls.ended(id)).toMatchObject({ output: 'early' });
      });

      it('a signal payload of 100,000 characters is stored separately, and the event contains its URL', async () => {
        const id = await begin([wait('a', 'long')]);
        await asleep(id);
        const payload = 'x'.repeat(100_000);
        await send(id, 'long', payload);
        expect(await calls.ended(id)).toMatchObject({ output: payload });
        const started = (await calls.events(id)).findLast(({ type }) => type === 'workflow.node.started');
        expect(started?.data).toMatchObject({ resumption_truncated: true });
        const url = String(started?.data['resumption_url']);
        expect((await service.get(url)).body).toMatchObject({ kind: 'signal', payload });
      });

      it('two requests with the same Idempotency-Key send only one signal', async () => {
        const id = await begin([
          wait('a', 'go'),
          { ...wait('b', 'go', { timeout_seconds: 1 }), needs: ['a'] },
        ]);
        const key = { 'idempotency-key': `once-${id}` };
        const first = await send(id, 'go', 1, key);
        const again = await send(id, 'go', 1, key);
        expect(again.body).toEqual(first.body);
        expect(again.headers.get('idempotent-replayed')).toBe('true');
        expect((await send(id, 'go', 2, key)).status).toBe(422);
        expect(await calls.ended(id)).toMatchObject({
          status: 'failed',
          error: { type: 'wait_timeout', node_id: 'b' },
        });
      });

      it('the service rejects a signal to an ended or unknown execution, or with an invalid name or payload', async () => {
        const id = await begin([set('a', 1)]);
        await calls.ended(id);
        expect(await send(id, 'go')).toMatchObject({ status: 409, error: { code: 'execution_finished' } });
        expect((await send(newId(), 'go')).status).toBe(404);
        for (const name of ['a%20b', '-x', 'x'.repeat(129)])
          expect((await send(id, name)).status, name).toBe(400);
        const waiting = await begin([wait('a', 'go')]);
        const tooLong = await send(waiting, 'go', 'x'.repeat(256 * 1024));
        expect(tooLong).toMatchObject({ status: 400, error: { details: { field: 'payload' } } });
        expect(
          (await service.post(`/v1/executions/${waiting}/signals/go`, { payloads: 1 })).error.details?.[
            'field'
          ],
        ).toBe('payloads');
        const big = 'y'.repeat(255 * 1024);
        const answers: number[] = [];
        for (let n = 0; n < 17; n += 1) answers.push((await send(waiting, 'other', big)).status);
        expect(answers.slice(0, 15).every((status) => status === 202)).toBe(true);
        expect(answers.at(-1)).toBe(409);
        await service.post(`/v1/executions/${waiting}/cancel`);
      });

      it('requests that signal, pause or resume an execution require the scope executions:write', async () => {
        const id = await begin([wait('a', 'go')]);
        const key = await service.newKey({ scopes: ['executions:read'] });
        for (const path of ['signals/go', 'pause', 'resume'])
          expect((await service.post(`/v1/executions/${id}/${path}`, {}, { key })).status).toBe(403);
        await service.post(`/v1/executions/${id}/cancel`);
      });
    });

    describe('a wait', () => {
      it('a wait node fails at its timeout, and the execution still completes if the node has `on_error: continue`', async () => {
        const id = await begin([
          { ...wait('a', 'go', { timeout_seconds: 0.3 }), on_error: 'continue' },
          set('out', '{{ nodes.a.error.code }}'),
        ]);
        expect(await calls.ended(id)).toMatchObject({ status: 'completed', output: 'wait_timeout' });
      });

      it('the node list of an execution names the signal for which a node waits', async () => {
        const id = await begin([wait('a', 'go', { approval: { title: 'Ship it?' } })]);
        await asleep(id);
        const { body } = await service.get<{ data: readonly JsonObject[] }>(`/v1/executions/${id}/nodes`);
        expect(body.data[0]).toMatchObject({
          status: 'waiting',
          waiting_for: { kind: 'signal', signal: 'go', title: 'Ship it?' },
        });
        expect(JSON.stringify(body)).not.toContain('/approvals/');
        await service.post(`/v1/executions/${id}/cancel`);
        const after = await service.get<{ data: readonly JsonObject[] }>(`/v1/executions/${id}/nodes`);
        expect(after.body.data[0]).toMatchObject({ status: 'cancelled', waiting_for: null });
      });
    });

    describe('a pause', () => {
      it('a paused execution records the result of its running node, but starts no further node', async () => {
        let answer: () => void = () => undefined;
        server.on('/held', (_, response) => (answer = () => json(response, { ok: true })));
        const id = await begin([http('call', '/held'), set('out', 'done', { needs: ['call'] })]);
        await until('the call', () => server.count('/held') === 1);
        const paused = await service.post<ExecutionView>(`/v1/executions/${id}/pause`, { reason: 'Lunch.' });
        expect([paused.status, paused.body]).toMatchObject([
          200,
          { status: 'paused', status_reason: 'Lunch.' },
        ]);
        expect((await service.post<ExecutionView>(`/v1/executions/${id}/pause`)).body).toMatchObject({
          status: 'paused',
          status_reason: 'Lunch.',
        });
        answer();
        await until('the result of the running node', async () =>
          (await types(id)).includes('workflow.node.complete'),
        );
        await pause(300);
        expect(await calls.read(id)).toMatchObject({
          status: 'paused',
          progress: { completed: 1, total: 2 },
        });
        const resumed = await service.post<ExecutionView>(`/v1/executions/${id}/resume`);
        expect(resumed.status).toBe(200);
        expect(resumed.body.status).not.toBe('paused');
        expect(await calls.ended(id)).toMatchObject({ status: 'completed', output: 'done' });
        expect(await types(id)).toEqual([
          'workflow.queued',
          'workflow.started',
          'workflow.node.started',
          'workflow.paused',
          'workflow.node.complete',
          'workflow.resumed',
          'workflow.node.started',
          'workflow.node.complete',
          'workflow.completed',
        ]);
      });

      it('a paused execution stays paused when a signal arrives', async () => {
        const id = await begin([{ id: 'nap', type: 'delay', with: { seconds: 6 } }, wait('a', 'go')]);
        await asleep(id);
        expect((await service.post<ExecutionView>(`/v1/executions/${id}/pause`)).body.status).toBe('paused');
        await send(id, 'go', 1);
        await pause(500);
        expect(await calls.read(id)).toMatchObject({ status: 'paused' });
        await service.post(`/v1/executions/${id}/resume`);
        expect(await calls.ended(id)).toMatchObject({ status: 'completed' });
      });

      it('a paused execution can time out', async () => {
        const id = await begin([wait('a', 'go')], { config: { timeout_seconds: 2 } });
        await until('the start', async () => (await calls.read(id)).started_at !== null);
        await service.post(`/v1/executions/${id}/pause`);
        expect(await calls.ended(id)).toMatchObject({ status: 'timed_out' });
      });

      it('an execution that is paused and resumed before its scheduled time starts at that time', async () => {
        const at = new Date(Date.now() + 2_500).toISOString();
        const id = await begin([set('a', 1)], {}, { scheduled_for: at });
        expect((await calls.read(id)) as unknown).toMatchObject({ scheduled_for: at });
        expect((await service.post<ExecutionView>(`/v1/executions/${id}/pause`)).body).toMatchObject({
          status: 'paused',
          started_at: null,
        });
        expect((await service.post<ExecutionView>(`/v1/executions/${id}/resume`)).body).toMatchObject({
          status: 'queued',
          started_at: null,
        });
        const ended = await calls.ended(id);
        expect(Date.parse(ended.started_at ?? '')).toBeGreaterThanOrEqual(Date.parse(at));
        expect(await types(id)).not.toContain('workflow.waiting');
      });

      it('an execution that is paused before its scheduled time does not start at that time', async () => {
        const due = Date.now() + 4_000;
        const id = await begin([set('a', 1)], {}, { scheduled_for: new Date(due).toISOString() });
        await service.post(`/v1/executions/${id}/pause`);
        await pause(due + 600 - Date.now());
        expect(await calls.read(id)).toMatchObject({ status: 'paused', started_at: null });
        await service.post(`/v1/executions/${id}/resume`);
        expect(await calls.ended(id)).toMatchObject({ status: 'completed' });
      });

      it('a paused execution can be cancelled, and an execution that is not paused cannot be resumed', async () => {
        const id = await begin([wait('a', 'go')]);
        expect(await service.post(`/v1/executions/${id}/resume`)).toMatchObject({
          status: 409,
          error: { code: 'execution_not_paused' },
        });
        await service.post(`/v1/executions/${id}/pause`);
        expect((await service.post<ExecutionView>(`/v1/executions/${id}/cancel`)).body.status).toBe(
          'cancelled',
        );
        for (const path of ['pause', 'resume'])
          expect(await service.post(`/v1/executions/${id}/${path}`)).toMatchObject({
            status: 409,
            error: { code: 'execution_finished' },
          });
      });
    });

    describe('a child', () => {
      const child = (workflowId: string, more: JsonObject = {}, node: JsonObject = {}): JsonObject => ({
        id: 'child',
        type: 'workflow',
        with: { workflow_id: workflowId, ...more },
        ...node,
      });
      const childOf = async (id: string): Promise<ExecutionView & JsonObject> => {
        const { body } = await service.get<{ data: readonly (ExecutionView & JsonObject)[] }>(
          `/v1/executions?trigger=parent&limit=100`,
        );
        const found = body.data.find((one) => one['parent'] === id);
        if (found === undefined) throw new Error('The execution has no child execution.');
        return found;
      };

      it('a `workflow` node passes input to the child execution that it starts, and returns the output of the child', async () => {
        const inner = await calls.workflow([set('double', '{{ input.n * 2 }}')]);
        const id = await begin(
          [child(inner, { input: { n: '{{ input.n }}' } }), set('out', '{{ nodes.child.output + 1 }}')],
          {},
          { input: { n: 20 }, priority: 7 },
        );
        expect(await calls.ended(id)).toMatchObject({ status: 'completed', output: 41 });
        const made = await childOf(id);
        expect(made).toMatchObject({
          workflow_id: inner,
          trigger: { type: 'parent', id },
          parent: id,
          priority: 7,
          status: 'completed',
        });
        const waiting = (await calls.events(id)).find(({ type }) => type === 'workflow.node.waiting');
        expect(waiting?.data).toMatchObject({ waiting_for: 'child', child_execution_id: made.id });
        const resumed = (await calls.events(id)).find(({ type }) => type === 'workflow.resumed');
        expect(resumed?.data).toMatchObject({ reason: 'child' });
        const nodes = await calls.nodes(id);
        expect(nodes.get('child')).toMatchObject({ child_execution_id: made.id, waiting_for: null });
      });

      it('a node fails if its child execution fails, and each retry of the node starts a new child execution', async () => {
        server.on('/third', (_, response, call) => json(response, { call }, call < 3 ? 500 : 200));
        const inner = await calls.workflow([http('call', '/third')]);
        const retry = { max_attempts: 2, backoff: 'fixed', initial_delay_ms: 10 };
        const once = await begin([child(inner, {}, { retry })]);
        expect(await calls.ended(once)).toMatchObject({
          status: 'failed',
          error: {
            type: 'child_failed',
            node_id: 'child',
            details: {
              execution_id: expect.any(String),
              status: 'failed',
              error: { type: 'http_status_error', node_id: 'call' },
            },
          },
        });
        expect(server.count('/third')).toBe(2);
        const again = await begin([child(inner, {}, { retry })]);
        expect(await calls.ended(again)).toMatchObject({ status: 'completed' });
      });

      it('all descendants of an execution are cancelled when the execution is cancelled', async () => {
        server.on('/hangs', () => undefined);
        const innermost = await calls.workflow([http('call', '/hangs')]);
        const inner = await calls.workflow([child(innermost)]);
        const id = await begin([child(inner)]);
        await until('the call', () => server.count('/hangs') === 1);
        const left = server.left.length;
        const middle = await childOf(id);
        const last = await childOf(middle.id);
        await service.post(`/v1/executions/${id}/cancel`, { reason: 'Enough.' });
        for (const one of [middle, last])
          expect(await calls.ended(one.id)).toMatchObject({
            status: 'cancelled',
            status_reason: expect.stringContaining('has ended'),
          });
        await until('the abort of the call', () => server.left.length > left);
      });

      it('a child execution is cancelled when its parent times out', async () => {
        const inner = await calls.workflow([wait('a', 'never')]);
        const id = await begin([child(inner)], { config: { timeout_seconds: 1 } });
        expect(await calls.ended(id)).toMatchObject({ status: 'timed_out' });
        expect(await calls.ended((await childOf(id)).id)).toMatchObject({ status: 'cancelled' });
      });

      it('a node fails if its child execution is cancelled', async () => {
        const inner = await calls.workflow([wait('a', 'never')]);
        const id = await begin([child(inner)]);
        await asleep(id);
        await service.post(`/v1/executions/${(await childOf(id)).id}/cancel`);
        expect(await calls.ended(id)).toMatchObject({
          error: { type: 'child_failed', details: { status: 'cancelled', error: null } },
        });
      });

      it('a node fails with the reason if its child execution cannot start', async () => {
        const code = async (nodes: readonly JsonObject[]): Promise<unknown> =>
          (await calls.ended(await begin(nodes))).error?.type;
        expect(await code([child(newId())])).toBe('workflow_not_found');
        const foreign = await service.newProject();
        const { body } = await service.post('/v1/workflows', { name: 'x', project_id: foreign.id });
        expect(await code([child(body.id)])).toBe('workflow_not_found');
        const draft = await calls.workflow([], { status: 'draft' });
        expect(await code([child(draft)])).toBe('workflow_not_active');
        const picky = await calls.workflow([], { input_schema: { type: 'object', required: ['n'] } });
        expect(await code([child(picky, { input: {} })])).toBe('invalid_input');
        expect(await code([child(picky, { input: { n: 1 }, version: 7 })])).toBe(
          'workflow_version_not_found',
        );
      });

      it('a child execution waits for a max_running slot of its workflow', async () => {
        const inner = await calls.workflow([wait('a', 'go')], { config: { max_running: 1 } });
        const holder = await calls.start(inner);
        await asleep(holder.id);
        const id = await begin([child(inner), set('out', '{{ nodes.child.output }}')]);
        await asleep(id);
        const made = await childOf(id);
        expect(made).toMatchObject({ status: 'queued', status_reason: 'max_running' });
        expect((await send(made.id, 'go', 'early')).status).toBe(202);
        await pause(500);
        expect(await calls.read(made.id)).toMatchObject({ status: 'queued', status_reason: 'max_running' });
        await send(holder.id, 'go');
        expect(await calls.ended(id)).toMatchObject({ output: 'early' });
      });

      it('a child execution does not wait for a max_running slot that one of its ancestors holds', async () => {
        const { body } = await service.post('/v1/workflows', { name: 'self', config: { max_running: 1 } });
        const between = await calls.workflow([child(body.id, { input: 1 })]);
        await service.patch(`/v1/workflows/${body.id}`, {
          nodes: [child(between, {}, { if: 'input == 0' }), set('n', '{{ input }}')],
        });
        const { id } = await calls.start(body.id, { input: 0 });
        expect(await calls.ended(id)).toMatchObject({ status: 'completed', output: { child: { n: 1 } } });
      });

      it.each(['fail', 'continue'])(
        'a child execution in a loop with `on_error: %s` is cancelled when its loop iteration fails',
        async (on_error) => {
          const inner = await calls.workflow([wait('a', 'never')]);
          const fail = { id: 'fail', type: 'fail', needs: ['boom'], with: { message: 'Boom.' } };
          const nodes = [child(inner), wait('boom', 'boom'), fail];
          const id = await begin([
            { id: 'each', type: 'foreach', with: { items: [1], nodes, on_error }, on_error: 'continue' },
            { ...wait('after', 'after'), needs: ['each'] },
          ]);
          await asleep(id);
          const { id: childId } = await childOf(id);
          await send(id, 'boom');
          expect(await calls.ended(childId)).toMatchObject({
            status: 'cancelled',
            status_reason: expect.stringContaining('no longer waits for it'),
          });
          await asleep(id);
          await send(id, 'after');
          expect(await calls.ended(id)).toMatchObject({ status: 'completed' });
        },
      );

      it('a workflow that starts itself as a child execution ends with `child_depth_exceeded`', async () => {
        const { body } = await service.post('/v1/workflows', { name: 'endless' });
        await service.patch(`/v1/workflows/${body.id}`, { nodes: [child(body.id)] });
        const { id } = await calls.start(body.id);
        const ended = await calls.ended(id);
        expect(ended).toMatchObject({ status: 'failed', error: { type: 'child_failed' } });
        expect(JSON.stringify(ended.error)).toContain('child_depth_exceeded');
      });

      it('a child execution belongs to the session of its parent', async () => {
        const { body: session } = await service.post('/v1/sessions', { name: 'order' });
        const inner = await calls.workflow([set('a', '{{ session.id }}')]);
        const id = await begin([child(inner)], {}, { session_id: session.id });
        expect(await calls.ended(id)).toMatchObject({ output: session.id });
      });
    });
  });
