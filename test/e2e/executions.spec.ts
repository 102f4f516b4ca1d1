import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../src/expressions/index.js';
import { EventBus } from '../../src/journal/index.js';
import { newId } from '../../src/platform/index.js';
import { ExecutionsWorld } from '../support/executions-world.js';
import { databaseKinds, type TestDatabase } from '../support/database.js';
import { type EventView, ExecutionCalls, type ExecutionView } from '../support/execution-views.js';
import { FlakyServer, json } from '../support/flaky-server.js';
import { TestService } from '../support/service.js';

const set = (id: string, value: Json, more: JsonObject = {}): JsonObject => ({
  id,
  type: 'set',
  with: { value },
  ...more,
});
const delay = (id: string, seconds: number, more: JsonObject = {}): JsonObject => ({
  id,
  type: 'delay',
  with: { seconds },
  ...more,
});
const fail = (id: string, message: string, more: JsonObject = {}): JsonObject => ({
  id,
  type: 'fail',
  with: { message },
  ...more,
});

for (const kind of await databaseKinds())
  describe(`executions on ${kind.name}`, () => {
    let world: ExecutionsWorld;
    let service: TestService;
    let server: FlakyServer;
    let calls: ExecutionCalls;

    beforeAll(async () => {
      world = await ExecutionsWorld.on(kind);
      ({ service, server, calls } = world);
    });

    afterAll(() => world?.end());

    const http = (id: string, path: string, more: JsonObject = {}): JsonObject => ({
      id,
      type: 'http',
      with: { url: server.url(path) },
      ...more,
    });
    const types = async (id: string): Promise<readonly string[]> =>
      (await calls.events(id)).map(({ type }) => type);

    describe('start', () => {
      it('a start request returns 201 with the queued execution and its URL', async () => {
        const workflow = await calls.workflow([delay('nap', 30)]);
        const { status, headers, body } = await service.post<ExecutionView>(
          `/v1/workflows/${workflow}/executions`,
          { input: { n: 1 }, metadata: { k: 'v' } },
        );
        expect(status).toBe(201);
        expect(headers.get('location')).toBe(`/v1/executions/${body.id}`);
        expect(headers.get('preference-applied')).toBeNull();
        expect(body).toMatchObject({
          workflow_id: workflow,
          workflow_version: 1,
          session_id: null,
          status: 'queued',
          trigger: { type: 'api', id: service.admin.keyId },
          input: { n: 1 },
          output: null,
          error: null,
          progress: { completed: 0, total: 1 },
          retry_of: null,
          attempt: 1,
          metadata: { k: 'v' },
          priority: 5,
          started_at: null,
          finished_at: null,
          duration_ms: null,
          last_sequence: 1,
        });
        await calls.until(body.id, (execution) => execution.status === 'waiting');
        await service.post(`/v1/executions/${body.id}/cancel`);
      });

      it('an execution can be started without a request body, and also on the alternative path /execute', async () => {
        const workflow = await calls.workflow([set('a', 1)]);
        for (const path of ['executions', 'execute']) {
          const { status, body } = await service.post<ExecutionView>(`/v1/workflows/${workflow}/${path}`);
          expect([status, (await calls.ended(body.id)).output]).toEqual([201, 1]);
        }
      });

      it('a start request with `?wait=10` or the header `Prefer: wait=10` returns the completed execution', async () => {
        const workflow = await calls.workflow([
          delay('nap', 0.2),
          set('a', '{{ input.n * 2 }}', { needs: ['nap'] }),
        ]);
        const byQuery = await service.post<ExecutionView>(`/v1/workflows/${workflow}/executions?wait=10`, {
          input: { n: 21 },
        });
        expect(byQuery.body).toMatchObject({
          status: 'completed',
          output: 42,
          progress: { completed: 2, total: 2 },
        });
        expect(byQuery.headers.get('preference-applied')).toBeNull();
        for (const prefer of ['wait=10', 'respond-async, wait=10', 'wait="10"']) {
          const answer = await service.post<ExecutionView>(
            `/v1/workflows/${workflow}/executions`,
            { input: { n: 2 } },
            { headers: { prefer } },
          );
          expect(answer.body, prefer).toMatchObject({ status: 'completed', output: 4 });
          expect(answer.headers.get('preference-applied'), prefer).toBe('wait=10');
        }
        expect(byQuery.body).toEqual(await calls.read(byQuery.body.id));
      });

      it.each([
        ['wait=100', 'wait=60'],
        ['wait=99999999999', 'wait=60'],
        ['wait=60', 'wait=60'],
        ['wait=0', 'wait=0'],
      ])(
        'a start request with the header `Prefer: %s` returns the header `Preference-Applied: %s`',
        async (prefer, applied) => {
          const workflow = await calls.workflow([set('a', 1)]);
          const path = `/v1/workflows/${workflow}/executions`;
          const answer = await service.post<ExecutionView>(path, {}, { headers: { prefer } });
          expect([answer.status, answer.headers.get('preference-applied')]).toEqual([201, applied]);
        },
      );

      it('an error has the same fields in an execution, a node and an event', async () => {
        const workflow = await calls.workflow([
          { id: 'no', type: 'fail', with: { message: 'No.', details: { a: 1 } } },
        ]);
        const execution = await calls.start(workflow, {}, '?wait=60');
        const code = execution.error?.type;
        const error = { type: code, code, message: 'No.', node_id: 'no', details: { a: 1 } };
        expect(execution.error).toEqual(error);
        interface Shown {
          readonly data: readonly {
            readonly error?: object;
            readonly attempts?: readonly { readonly error: object }[];
            readonly data?: { readonly error?: object };
          }[];
        }
        const nodes = (await service.get<Shown>(`/v1/executions/${execution.id}/nodes`)).body.data;
        expect([nodes[0]?.error, nodes[0]?.attempts?.[0]?.error]).toEqual([error, error]);
        const events = (await service.get<Shown>(`/v1/executions/${execution.id}/events`)).body.data;
        expect(events.flatMap(({ data }) => data?.error ?? [])).toEqual([error, error]);
      });

      it('a start request with `?wait=1` returns the unfinished execution after one second', async () => {
        const workflow = await calls.workflow([set('a', 1), delay('nap', 30, { needs: ['a'] })]);
        const begun = performance.now();
        const execution = await calls.start(workflow, {}, '?wait=1');
        expect(performance.now() - begun).toBeGreaterThanOrEqual(990);
        expect(execution).toMatchObject({ status: 'waiting', progress: { completed: 1, total: 2 } });
        expect(execution).toEqual(await calls.read(execution.id));
        await service.post(`/v1/executions/${execution.id}/cancel`);
      });

      it('the service removes the event listener of a start request with `?wait` when the caller disconnects', async () => {
        const bus = service.app.get<EventBus, { readonly byExecution: ReadonlyMap<string, unknown> }>(
          EventBus,
          {
            strict: false,
          },
        );
        const workflow = await calls.workflow([delay('nap', 30)]);
        const before = bus.byExecution.size;
        const gone = new AbortController();
        const waits = Array.from({ length: 10 }, () =>
          fetch(`${service.baseUrl}/v1/workflows/${workflow}/executions?wait=60`, {
            method: 'POST',
            headers: { authorization: `Bearer ${service.key}` },
            signal: gone.signal,
          }).catch(() => null),
        );
        while (bus.byExecution.size < before + 10) await pause(10);
        gone.abort();
        await Promise.all(waits);
        for (let tries = 0; tries < 200 && bus.byExecution.size > before; tries += 1) await pause(10);
        expect(bus.byExecution.size).toBe(before);
        // A start request that the service rejects must not leave an event listener.
        await service.post(`/v1/workflows/${workflow}/executions?wait=1`, { version: 99 });
        expect(bus.byExecution.size).toBe(before);
        expect((await service.delete(`/v1/workflows/${workflow}?cancel=true`)).status).toBe(204);
      });

      it.each<[string, JsonObject, string]>([
        ['an unknown field', { color: 1 }, 'color'],
        ['an empty version', { version: 0 }, 'version'],
        ["a version beyond the database's range", { version: 1e12 }, 'version'],
        ['a version that is not a number', { version: '1' }, 'version'],
        ['a session id that is not a UUID', { session_id: 'x' }, 'session_id'],
        ['metadata that is not an object', { metadata: [] }, 'metadata'],
        ['a priority too high', { priority: 10 }, 'priority'],
        ['a priority too low', { priority: -1 }, 'priority'],
        ['a string that is not a date-time', { scheduled_for: 'tomorrow' }, 'scheduled_for'],
        ['a date by week number', { scheduled_for: '2026-W01-1' }, 'scheduled_for'],
        ['a day that does not exist', { scheduled_for: '2026-02-31T00:00:00Z' }, 'scheduled_for'],
        ['a time without a zone', { scheduled_for: '2026-01-01T00:00:00' }, 'scheduled_for'],
        ['a year with five digits', { scheduled_for: '+12026-01-01T00:00:00Z' }, 'scheduled_for'],
      ])('the service rejects a start request with %s and names the field', async (_, body, field) => {
        const workflow = await calls.workflow([set('a', 1)]);
        const answer = await service.post(`/v1/workflows/${workflow}/executions`, body);
        expect([answer.status, answer.error.details?.['field']]).toEqual([400, field]);
      });

      it.each(['wait=61', 'wait=-1', 'wait=x', 'wait=1&wait=2', 'wait=0.5', 'color=red'])(
        'the service rejects a start request with the invalid query ?%s',
        async (query) => {
          const workflow = await calls.workflow([set('a', 1)]);
          expect((await service.post(`/v1/workflows/${workflow}/executions?${query}`, {})).status).toBe(400);
        },
      );

      it('a start request validates the input with the schema of the workflow version, and names wrong fields', async () => {
        const customer = {
          type: 'object',
          required: ['email'],
          properties: { email: { type: 'string', minLength: 3 } },
        };
        const workflow = await calls.workflow([set('a', '{{ input.customer.email }}')], {
          input_schema: {
            type: 'object',
            required: ['customer'],
            properties: { customer, n: { type: 'integer' } },
            additionalProperties: false,
          },
        });
        for (const [input, field] of [
          [null, 'input'],
          [{}, 'input.customer'],
          [{ customer: {} }, 'input.customer.email'],
          [{ customer: { email: 'x' } }, 'input.customer.email'],
          [{ customer: { email: 'abc' }, n: 1.5 }, 'input.n'],
          [{ customer: { email: 'abc' }, other: 1 }, 'input.other'],
        ] as const) {
          const answer = await service.post(`/v1/workflows/${workflow}/executions`, { input });
          expect(
            [answer.status, answer.error?.code, answer.error?.details?.['field']],
            JSON.stringify(input),
          ).toEqual([400, 'invalid_input', field]);
        }
        expect(
          await calls.start(workflow, { input: { customer: { email: 'abc' } } }, '?wait=60'),
        ).toMatchObject({ output: 'abc' });
        await service.patch(`/v1/workflows/${workflow}`, {
          input_schema: null,
          nodes: [set('a', 'anything')],
        });
        expect(await calls.start(workflow, {}, '?wait=60')).toMatchObject({
          output: 'anything',
          workflow_version: 2,
        });
        expect((await service.post(`/v1/workflows/${workflow}/executions`, { version: 1 })).status).toBe(400);
        expect(
          await calls.start(workflow, { version: 1, input: { customer: { email: 'old' } } }, '?wait=60'),
        ).toMatchObject({ output: 'old', workflow_version: 1 });
        const unknown = await service.post(`/v1/workflows/${workflow}/executions`, { version: 3 });
        expect([unknown.status, unknown.error.code]).toEqual([404, 'workflow_version_not_found']);
      });

      it('an execution does not start before `scheduled_for`', async () => {
        const workflow = await calls.workflow([set('a', 1)]);
        const at = new Date(Date.now() + 600);
        const { id, status } = await calls.start(workflow, {
          scheduled_for: at.toISOString().replace('Z', '+00:00'),
        });
        expect(status).toBe('queued');
        const ended = await calls.ended(id);
        expect(Date.parse(ended.started_at ?? '')).toBeGreaterThanOrEqual(at.getTime());
        expect(
          await calls.start(workflow, { scheduled_for: '1999-12-31T23:59:59Z' }, '?wait=60'),
        ).toMatchObject({ status: 'completed' });
        const far = await calls.start(workflow, { scheduled_for: '9999-12-31T23:59:59Z' });
        expect((await service.post(`/v1/executions/${far.id}/cancel`)).status).toBe(200);
      });
    });

    describe('execution of nodes', () => {
      it('an execution of a workflow without nodes completes immediately', async () => {
        const execution = await calls.run([]);
        expect(execution).toMatchObject({
          status: 'completed',
          output: null,
          progress: { completed: 0, total: 0 },
        });
        expect(await types(execution.id)).toEqual([
          'workflow.queued',
          'workflow.started',
          'workflow.completed',
        ]);
      });

      it("the output of an execution comes from the workflow's `output` template, or without a template from the last nodes", async () => {
        expect(await calls.run([set('a', 1), set('b', '{{ nodes.a.output + 1 }}')])).toMatchObject({
          output: 2,
        });
        expect(await calls.run([set('a', 1), set('b', 2), set('c', 3, { needs: ['a'] })])).toMatchObject({
          output: { b: 2, c: 3 },
        });
        expect(await calls.run([set('a', 1), set('b', 2, { if: 'false' })])).toMatchObject({
          output: { a: 1, b: null },
        });
        expect(
          await calls.run(
            [set('a', { x: [1] })],
            { y: 2 },
            { output: { all: '{{ nodes.a.output.x }}', y: '{{ input.y }}', text: 'y={{ input.y }}' } },
          ),
        ).toMatchObject({
          output: { all: [1], y: 2, text: 'y=2' },
        });
        const broken = await calls.run([set('a', 1)], {}, { output: '{{ input.missing }}' });
        expect(broken).toMatchObject({
          status: 'failed',
          output: null,
          error: { type: 'expression_error', node_id: null, message: expect.stringContaining('missing') },
        });
      });

      it.each(['{{ workflow.name }}', '{{ workflow["na" + "me"] }}'])(
        'after a workflow was renamed, %j is the new name in its next execution',
        async (value) => {
          const workflow = await calls.workflow([set('name', value)]);
          const started = async () => (await calls.ended((await calls.start(workflow)).id)).output;
          expect(await started()).toBe('test');
          expect((await service.patch(`/v1/workflows/${workflow}`, { name: 'renamed' })).status).toBe(200);
          expect(await started()).toBe('renamed');
        },
      );

      it('a node is skipped if its condition is false or if all nodes that it needs were skipped', async () => {
        const execution = await calls.run(
          [
            set('yes', 1, { if: 'input.n > 1' }),
            set('no', 1, { if: 'input.n > 5' }),
            set('after_no', 1, { needs: ['no'] }),
            set('after_after', 1, { needs: ['after_no'] }),
            set('after_both', '{{ nodes.no.output == null }}', { needs: ['no', 'yes'] }),
          ],
          { n: 2 },
          { output: '{{ nodes.after_both.output }}' },
        );
        expect(execution).toMatchObject({
          status: 'completed',
          output: true,
          progress: { completed: 5, total: 5 },
        });
        const nodes = await calls.nodes(execution.id);
        expect([...nodes].map(([id, { status }]) => [id, status])).toEqual([
          ['yes', 'completed'],
          ['no', 'skipped'],
          ['after_no', 'skipped'],
          ['after_after', 'skipped'],
          ['after_both', 'completed'],
        ]);
        const reasons = (await calls.events(execution.id))
          .filter(({ type }) => type === 'workflow.node.skipped')
          .map(({ node_id, data }) => [node_id, data['reason']]);
        expect(Object.fromEntries(reasons)).toEqual({
          no: 'condition_false',
          after_no: 'needs_skipped',
          after_after: 'needs_skipped',
        });
      });

      it('branches of an execution run in parallel, up to `max_concurrency` of the workflow', async () => {
        let now = 0;
        let most = 0;
        server.on('/slow', (_, response) => {
          most = Math.max(most, (now += 1));
          setTimeout(() => {
            now -= 1;
            json(response, {});
          }, 150);
        });
        const branches = Array.from({ length: 6 }, (_, n) => http(`call_${n}`, '/slow'));
        expect(await calls.run(branches)).toMatchObject({ status: 'completed' });
        expect(most).toBe(6);
        most = 0;
        expect(await calls.run(branches, null, { config: { max_concurrency: 2 } })).toMatchObject({
          status: 'completed',
        });
        expect(most).toBe(2);
      });

      it('an execution fails when a node fails, and the service aborts the running nodes of the execution', async () => {
        server.on('/hangs', () => undefined);
        const before = server.left.length;
        const execution = await calls.run(
          [
            http('beside', '/hangs'),
            delay('nap', 0.1),
            fail('broken', 'on purpose: {{ input.n }}', { needs: ['nap'] }),
            set('never', 1, { needs: ['broken'] }),
          ],
          { n: 5 },
        );
        expect(execution).toMatchObject({
          status: 'failed',
          status_reason: execution.error?.type,
          output: null,
          error: { node_id: 'broken', message: 'on purpose: 5' },
          progress: { completed: 2, total: 4 },
        });
        const nodes = await calls.nodes(execution.id);
        expect([...nodes].map(([id, { status }]) => [id, status])).toEqual(
          expect.arrayContaining([
            ['beside', 'cancelled'],
            ['broken', 'failed'],
            ['never', 'cancelled'],
          ]),
        );
        for (let tries = 0; tries < 100 && server.left.length === before; tries += 1) await pause(10);
        expect(server.left.length).toBe(before + 1);
      });

      it("an execution continues after a node with on_error `continue` fails, and can read the node's error", async () => {
        const execution = await calls.run([
          fail('broken', 'on purpose', { on_error: 'continue' }),
          set('after', {
            status: '{{ nodes.broken.status }}',
            message: '{{ nodes.broken.error.message }}',
            output: '{{ nodes.broken.output }}',
          }),
          set('only_then', 'handled', { if: "nodes.broken.status == 'failed'" }),
        ]);
        expect(execution).toMatchObject({
          status: 'completed',
          error: null,
          output: { after: { status: 'failed', message: 'on purpose', output: null }, only_then: 'handled' },
        });
      });

      it('retries of a node have an increasing backoff and the same idempotency key', async () => {
        const keys = new Set<unknown>();
        server.on('/flaky', (request, response, call) => {
          keys.add(request.headers['idempotency-key']);
          json(response, { call }, call < 4 ? 503 : 200);
        });
        const retry = {
          max_attempts: 5,
          backoff: 'exponential',
          initial_delay_ms: 100,
          max_delay_ms: 250,
          jitter: false,
        };
        const execution = await calls.run(
          [http('call', '/flaky', { retry, with: { method: 'POST', url: server.url('/flaky') } })],
          null,
          { output: '{{ nodes.call.output.body.call }}' },
        );
        expect(execution).toMatchObject({ status: 'completed', output: 4 });
        const [first = 0, second = 0, third = 0, fourth = 0] = server.calls.get('/flaky') ?? [];
        // The test tolerates 1 ms less, because timers of Node.js may fire 1 ms early.
        expect(second - first).toBeGreaterThanOrEqual(99);
        expect(third - second).toBeGreaterThanOrEqual(199);
        expect(fourth - third).toBeGreaterThanOrEqual(249);
        expect(keys).toEqual(new Set([`${execution.id}:call`]));
        const delays = (await calls.events(execution.id))
          .filter(({ type }) => type === 'workflow.node.retrying')
          .map(({ data }) => data['delay_ms']);
        expect(delays).toEqual([100, 200, 250]);
        const node = (await calls.nodes(execution.id)).get('call');
        expect(node).toMatchObject({ status: 'completed', attempt: 4, error: null });
        expect(
          node?.attempts.map(({ attempt, status, error }) => [attempt, status, error?.['code'] ?? null]),
        ).toEqual([
          [1, 'failed', 'http_status_error'],
          [2, 'failed', 'http_status_error'],
          [3, 'failed', 'http_status_error'],
          [4, 'completed', null],
        ]);
      });

      it('a node is not retried after max_attempts, without `retry` settings, or after a permanent error', async () => {
        server.on('/broken', (_, response) => json(response, { why: 'broken' }, 500));
        const retry = { max_attempts: 3, backoff: 'fixed', initial_delay_ms: 10 };
        const thrice = await calls.run([http('call', '/broken', { retry })]);
        expect(thrice).toMatchObject({
          status: 'failed',
          error: {
            type: 'http_status_error',
            node_id: 'call',
            details: { status: 500, body: { why: 'broken' } },
          },
        });
        expect(server.count('/broken')).toBe(3);
        await calls.run([http('call', '/broken')]);
        expect(server.count('/broken')).toBe(4);
        const refused = await calls.run([
          { id: 'call', type: 'http', with: { url: 'http://127.0.0.1:1/' }, retry },
        ]);
        expect(refused.error?.type).toBe('egress_denied');
        expect((await calls.nodes(refused.id)).get('call')?.attempts).toHaveLength(1);
      });

      it('a node with `retry` settings is retried after an attempt timed out', async () => {
        server.on('/first_hangs', (_, response, call) => (call === 1 ? undefined : json(response, { call })));
        const node = http('call', '/first_hangs', {
          timeout_seconds: 1,
          retry: { max_attempts: 2, initial_delay_ms: 0 },
        });
        const execution = await calls.run([node], null, { output: '{{ nodes.call.output.body.call }}' });
        expect(execution).toMatchObject({ status: 'completed', output: 2 });
        expect(
          (await calls.nodes(execution.id)).get('call')?.attempts.map(({ error }) => error?.['code'] ?? null),
        ).toEqual(['node_timeout', null]);
        expect(server.left).toContain('/first_hangs');
      });

      it.each<[string, () => JsonObject]>([
        ['a node runs', () => http('call', '/hangs')],
        ['a node is suspended', () => delay('nap', 60)],
        [
          'a node waits for its next attempt',
          () =>
            http('call', '/broken', {
              retry: { max_attempts: 9, backoff: 'fixed', initial_delay_ms: 60_000 },
            }),
        ],
      ])('an execution times out while %s', async (_, node) => {
        server.on('/hangs', () => undefined).on('/broken', (_request, response) => json(response, {}, 500));
        const execution = await calls.run([node()], null, { config: { timeout_seconds: 1 } });
        expect(execution).toMatchObject({
          status: 'timed_out',
          status_reason: 'execution_timeout',
          output: null,
          error: { type: 'execution_timeout', node_id: null },
        });
        expect(Date.parse(execution.finished_at ?? '')).toBeGreaterThanOrEqual(
          Date.parse(execution.timeout_at ?? ''),
        );
        expect((await calls.events(execution.id)).at(-1)).toMatchObject({
          type: 'workflow.failed',
          data: { status: 'timed_out' },
        });
      });

      it('events contain URLs in place of large values, and the execution contains the complete values', async () => {
        const text = 'ä"\\'.repeat(10_000);
        const execution = await calls.run(
          [set('a', '{{ input.text }}'), set('b', ['{{ nodes.a.output }}'])],
          { text },
        );
        expect(execution.output).toEqual([text]);
        expect(execution.input).toEqual({ text });
        expect(await calls.read(execution.id)).toEqual(execution);
        const events = await calls.events(execution.id);
        const done = events.find(({ type, node_id }) => type === 'workflow.node.complete' && node_id === 'a');
        expect(done?.data).toMatchObject({ output_truncated: true });
        expect(done?.data).not.toHaveProperty('output');
        expect((await service.get(String(done?.data['output_url']))).body).toBe(text);
        expect(events.at(-1)?.data).toMatchObject({
          output_truncated: true,
          output_url: `/v1/executions/${execution.id}/events/${execution.last_sequence}/output`,
        });
        expect((await service.get(String(events[0]?.data['input_url']))).body).toEqual({ text });
        expect((await calls.nodes(execution.id)).get('b')?.output).toEqual([text]);
        const { body } = await service.get<{ data: ExecutionView[] }>(
          `/v1/workflows/${execution.workflow_id}/executions`,
        );
        expect(body.data).toMatchObject([{ id: execution.id, status: 'completed' }]);
      });

      it.each<[string, Json]>([
        ['null', null],
        ['false', false],
        ['zero', 0],
        ['an empty string', ''],
        ['an empty list', []],
        ['extreme numbers', [1.5e308, -1e-300, 9007199254740991, 0.1]],
        ['characters of many scripts', '\u{1f4a9} \u2028 ؤ \u0001'],
        [
          'keys of Object.prototype',
          { constructor: { prototype: 1 }, toString: 2, hasOwnProperty: 3, valueOf: null },
        ],
        ['keys with special characters', { 'a.b': 1, 'c[0]': 2, '': 3, ' ': 4, $x: 5 }],
        ['40 nested lists', JSON.parse(`${'['.repeat(40)}${']'.repeat(40)}`) as Json],
      ])('the input and output of an execution are stored and returned unchanged: %s', async (_, input) => {
        const execution = await calls.run([set('a', '{{ input }}')], input);
        expect(execution).toMatchObject({ status: 'completed' });
        expect(JSON.stringify(execution.output)).toBe(JSON.stringify(input));
        expect(JSON.stringify((await calls.read(execution.id)).input)).toBe(JSON.stringify(input));
      });

      it('an http node keeps NUL characters, lone surrogates and a __proto__ key of a response body', async () => {
        server.on('/nul', (_, response) =>
          response
            .writeHead(200, { 'content-type': 'application/json' })
            .end('{"a":"\\u0000","b":"\\ud800","__proto__":{"x":1}}'),
        );
        const execution = await calls.run([http('call', '/nul')], null, {
          output: '{{ nodes.call.output.body }}',
        });
        expect(execution).toMatchObject({ status: 'completed' });
        expect(JSON.stringify(execution.output)).toBe('{"a":"\\u0000","b":"\\ud800","__proto__":{"x":1}}');
        expect(JSON.stringify((await calls.read(execution.id)).output)).toBe(
          JSON.stringify(execution.output),
        );
        server.on('/nul_error', (_, response) => json(response, { a: '\u0000\ud800' }, 500));
        const failed = await calls.run([http('call', '/nul_error')]);
        expect((await calls.read(failed.id)).error).toEqual(failed.error);
        expect(failed).toMatchObject({
          status: 'failed',
          error: { details: { body: { a: '\u0000\ud800' } } },
        });
      });

      it('the events of an execution have sequence numbers without gaps, and the last event is `workflow.completed`', async () => {
        const execution = await calls.run([
          set('a', 1),
          delay('nap', 0.05, { needs: ['a'] }),
          set('b', 2, { needs: ['nap'] }),
        ]);
        const events = await calls.events(execution.id);
        expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
        expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
        expect(events.at(-1)).toMatchObject({
          type: 'workflow.completed',
          sequence: execution.last_sequence,
        });
        expect(
          events
            .filter(({ type }) => type === 'workflow.node.complete')
            .map(({ node_id, data }) => [node_id, data['progress']]),
        ).toEqual([
          ['a', { completed: 1, total: 3 }],
          ['nap', { completed: 2, total: 3 }],
          ['b', { completed: 3, total: 3 }],
        ]);
        const rest = await service.get<{ data: readonly EventView[] }>(
          `/v1/executions/${execution.id}/events?after=${execution.last_sequence - 1}`,
        );
        expect(rest.body.data.map(({ type }) => type)).toEqual(['workflow.completed']);
      });
    });

    describe('cancel', () => {
      it.each<[string, () => JsonObject, string]>([
        ['a node waits for an HTTP response', () => http('call', '/hangs'), 'running'],
        ['the execution waits in memory', () => delay('nap', 3), 'running'],
        ['the execution is suspended', () => delay('nap', 60), 'waiting'],
        [
          'a failed node waits for its next attempt',
          () =>
            http('call', '/broken', {
              retry: { max_attempts: 9, backoff: 'fixed', initial_delay_ms: 60_000 },
            }),
          'waiting',
        ],
      ])(
        'an execution can be cancelled while %s, and a second cancellation returns the same response',
        async (_, node, status) => {
          server.on('/hangs', () => undefined).on('/broken', (_request, response) => json(response, {}, 500));
          const left = server.left.length;
          const { id } = await calls.start(await calls.workflow([node()]));
          await calls.until(id, (execution) => execution.status === status && execution.last_sequence > 2);
          if (status === 'running') await pause(100);
          const cancelled = await service.post<ExecutionView>(`/v1/executions/${id}/cancel`, {
            reason: 'Ordered twice.',
          });
          expect([cancelled.status, cancelled.body.status, cancelled.body.status_reason]).toEqual([
            200,
            'cancelled',
            'Ordered twice.',
          ]);
          const again = await service.post<ExecutionView>(`/v1/executions/${id}/cancel`);
          expect([again.status, again.body]).toEqual([200, cancelled.body]);
          if (node()['id'] === 'call' && status === 'running') {
            for (let tries = 0; tries < 100 && server.left.length === left; tries += 1) await pause(10);
            expect(server.left.length).toBe(left + 1);
          }
          await pause(100);
          expect(await calls.read(id)).toEqual(cancelled.body);
          const events = await calls.events(id);
          expect(events.at(-1)).toMatchObject({
            type: 'workflow.cancelled',
            sequence: cancelled.body.last_sequence,
            data: { reason: 'Ordered twice.' },
          });
          expect([...(await calls.nodes(id)).values()].map((row) => row.status)).toEqual(['cancelled']);
        },
      );

      it('an execution can be cancelled before its scheduled time', async () => {
        const { id } = await calls.start(await calls.workflow([set('a', 1)]), {
          scheduled_for: new Date(Date.now() + 60_000).toISOString(),
        });
        expect((await service.post<ExecutionView>(`/v1/executions/${id}/cancel`)).body).toMatchObject({
          status: 'cancelled',
          started_at: null,
          status_reason: null,
        });
        expect(await types(id)).toEqual(['workflow.queued', 'workflow.cancelled']);
      });

      it('a start request with `?wait` returns when another request cancels the execution', async () => {
        const workflow = await calls.workflow([delay('nap', 60)]);
        const waiting = calls.start(workflow, { metadata: { mark: workflow } }, '?wait=30');
        let id: string | undefined;
        while (id === undefined)
          id = (await service.get<{ data: ExecutionView[] }>(`/v1/workflows/${workflow}/executions`)).body
            .data[0]?.id;
        await service.post(`/v1/executions/${id}/cancel`);
        expect(await waiting).toMatchObject({ id, status: 'cancelled' });
      });

      it('the service rejects the cancellation of an execution that completed or failed', async () => {
        const completed = await calls.run([set('a', 1)]);
        const failed = await calls.run([fail('a', 'x')]);
        for (const { id, status } of [completed, failed]) {
          const answer = await service.post(`/v1/executions/${id}/cancel`);
          expect([answer.status, answer.error]).toMatchObject([
            409,
            { type: 'conflict_error', code: 'execution_finished', details: { status } },
          ]);
        }
      });

      it('an execution that is cancelled while it completes has one final event, either completed or cancelled', async () => {
        const workflow = await calls.workflow(
          Array.from({ length: 10 }, (_, n) => set(`n${n}`, n, n === 0 ? {} : { needs: [`n${n - 1}`] })),
        );
        const races = await Promise.all(
          Array.from({ length: 40 }, async (_, n) => {
            const { id } = await calls.start(workflow);
            if (n % 2 === 1) await pause(n % 7);
            const { status } = await service.post(`/v1/executions/${id}/cancel`);
            return { id, status };
          }),
        );
        for (const { id, status } of races) {
          const execution = await calls.ended(id);
          expect(execution.status).toBe(status === 200 ? 'cancelled' : 'completed');
          const finals = (await types(id)).filter((type) =>
            ['workflow.completed', 'workflow.cancelled', 'workflow.failed'].includes(type),
          );
          expect(finals).toEqual([`workflow.${execution.status}`]);
        }
      });

      it.each<[JsonObject, string]>([
        [{ reason: 5 }, 'reason'],
        [{ reason: 'x'.repeat(1001) }, 'reason'],
        [{ why: 'x' }, 'why'],
      ])('the service rejects a cancellation request with the invalid body %j', async (body, field) => {
        const { id } = await calls.run([]);
        const answer = await service.post(`/v1/executions/${id}/cancel`, body);
        expect([answer.status, answer.error.details?.['field']]).toEqual([400, field]);
      });
    });

    describe('list', () => {
      interface Listed {
        readonly data: readonly ExecutionView[];
        readonly pagination: {
          readonly total: number;
          readonly has_more: boolean;
          readonly next_cursor?: string;
        };
      }
      const list = async (query: string): Promise<Listed> => {
        const { status, body } = await service.get<Listed>(`/v1/executions?${query}`);
        expect(status, JSON.stringify(body)).toBe(200);
        return body;
      };
      const ids = async (query: string): Promise<readonly string[]> =>
        (await list(query)).data.map(({ id }) => id);

      it('the execution list filters by status, workflow, trigger and time', async () => {
        const workflow = await calls.workflow([
          set('a', 1, { if: 'input.ok' }),
          fail('b', 'x', { if: '!input.ok' }),
        ]);
        const good = await calls.start(workflow, { input: { ok: true } }, '?wait=10');
        await pause(5);
        const bad = await calls.start(workflow, { input: { ok: false } }, '?wait=10');
        const queued = await calls.start(workflow, {
          input: { ok: true },
          scheduled_for: new Date(Date.now() + 60_000).toISOString(),
        });
        const of = `workflow_id=${workflow}`;
        expect(await ids(of)).toEqual([queued.id, bad.id, good.id]);
        expect(await ids(`${of}&order=asc`)).toEqual([good.id, bad.id, queued.id]);
        expect(await ids(`${of}&status=failed`)).toEqual([bad.id]);
        expect(await ids(`${of}&status=failed&status=completed`)).toEqual([bad.id, good.id]);
        expect(await ids(`${of}&status=timed_out`)).toEqual([]);
        expect(await ids(`${of}&trigger=api`)).toHaveLength(3);
        expect(await ids(`${of}&trigger=schedule`)).toEqual([]);
        expect(await ids(`${of}&created_after=${good.created_at}`)).toEqual([queued.id, bad.id]);
        expect(await ids(`${of}&created_before=${bad.created_at}`)).toEqual([good.id]);
        expect(await ids(`${of}&created_after=2000-01-01T00:00:00%2B02:00`)).toHaveLength(3);
        expect(await ids(`${of}&created_after=2100-01-01T00:00:00Z`)).toEqual([]);
        expect(await ids(`${of}&created_before=2100-01-01T00:00:00Z`)).toHaveLength(3);
        expect(await ids(`${of}&created_before=2000-01-01T00:00:00Z`)).toEqual([]);
        expect(await ids(`workflow_id=${workflow.toUpperCase()}`)).toHaveLength(3);
        const own = await service.get<Listed>(`/v1/workflows/${workflow}/executions?status=failed`);
        expect(own.body.data.map(({ id }) => id)).toEqual([bad.id]);
        const page = await list(`${of}&limit=2`);
        expect(page.pagination).toMatchObject({ total: 3, has_more: true });
        const rest = await list(`${of}&limit=2&cursor=${page.pagination.next_cursor}`);
        expect(rest.data.map(({ id }) => id)).toEqual([good.id]);
        expect(rest.pagination).toMatchObject({ total: 3, has_more: false });
        await service.post(`/v1/executions/${queued.id}/cancel`);
      });

      it('the execution list filters by metadata, and compares the values as strings', async () => {
        const workflow = await calls.workflow([]);
        const metadata = {
          text: 'a b',
          n: 42,
          big: 1e21,
          real: 0.1,
          small: 1e-7,
          yes: true,
          none: null,
          list: [1, 'x'],
          'a.b': 'dot',
          $path: 'dollar',
          'qu"ote': 'q',
          "it's": 's',
          constructor: 'c',
        };
        const { id } = await calls.start(workflow, { metadata }, '?wait=10');
        await calls.start(workflow, { metadata: { text: 'other' } }, '?wait=10');
        const find = async (key: string, value: string): Promise<number> =>
          (
            await list(
              `workflow_id=${workflow}&metadata[${encodeURIComponent(key)}]=${encodeURIComponent(value)}`,
            )
          ).data.filter((execution) => execution.id === id).length;
        for (const [key, value] of [
          ['text', 'a b'],
          ['n', '42'],
          ['big', '1e+21'],
          ['real', '0.1'],
          ['small', '1e-7'],
          ['yes', 'true'],
          ['list', '[1,"x"]'],
          ['a.b', 'dot'],
          ['$path', 'dollar'],
          ['qu"ote', 'q'],
          ["it's", 's'],
          ['constructor', 'c'],
        ] as const)
          expect(await find(key, value), key).toBe(1);
        for (const [key, value] of [
          ['text', 'A B'],
          ['n', '42.0'],
          ['none', 'null'],
          ['none', ''],
          ['missing', ''],
          ['$', ''],
          ["x' OR 1=1 --", '1'],
        ] as const)
          expect(await find(key, value), key).toBe(0);
        expect(await list(`workflow_id=${workflow}&metadata[text]=a b&metadata[n]=42`)).toMatchObject({
          data: [{ id }],
        });
        expect((await list(`workflow_id=${workflow}&metadata[text]=a b&metadata[n]=43`)).data).toEqual([]);
      });

      it.each([
        'status=unknown',
        'workflow_id=x',
        'session_id=x',
        'retry_of=x',
        'trigger=magic',
        'created_after=yesterday',
        'created_after=2026-W01-1',
        'created_before=2026-01-01',
        'created_before=',
        'color=red',
        'cursor=WyJ4Il0',
        'cursor=WzFd',
        'limit=101',
      ])('the execution list rejects the invalid query %s', async (query) => {
        const answer = await service.get(`/v1/executions?${query}`);
        expect([answer.status, answer.error?.type]).toEqual([400, 'validation_error']);
        expect(answer.error.details?.['field']).toMatch(new RegExp(`^${query.split('=')[0]}`));
      });

      it('a client can page through the nodes of an execution by cursor', async () => {
        const { id } = await calls.run(Array.from({ length: 5 }, (_, n) => set(`n${n}`, n)));
        interface Nodes {
          readonly data: readonly { readonly node_id: string }[];
          readonly pagination: { readonly total: number; readonly next_cursor?: string };
        }
        const first = await service.get<Nodes>(`/v1/executions/${id}/nodes?limit=3`);
        const second = await service.get<Nodes>(
          `/v1/executions/${id}/nodes?limit=3&cursor=${first.body.pagination.next_cursor}`,
        );
        expect([...first.body.data, ...second.body.data].map(({ node_id }) => node_id)).toEqual([
          'n0',
          'n1',
          'n2',
          'n3',
          'n4',
        ]);
        expect(second.body.pagination).toMatchObject({ total: 5, has_more: false });
        expect((await service.get(`/v1/executions/${id}/nodes?cursor=x`)).status).toBe(400);
      });
    });

    describe('priority', () => {
      it('queued executions start in the order of their priority when slots become free', async () => {
        const narrow = await kind.create();
        const one = await TestService.start({
          database: narrow.settings,
          environment: { RUN_CONCURRENCY: '1', EGRESS_ALLOW: server.address },
        });
        try {
          const own = new ExecutionCalls(one);
          let release: () => void = () => undefined;
          server.on('/gate', (_, response) => (release = () => json(response, {})));
          const blocker = await own.start(await own.workflow([http('gate', '/gate')]));
          const workflow = await own.workflow([set('a', 1)]);
          while (server.count('/gate') === 0) await pause(5);
          const queued = [];
          for (const priority of [0, 9, 4, 9, 5]) queued.push(await own.start(workflow, { priority }));
          expect(queued.map(({ priority }) => priority)).toEqual([0, 9, 4, 9, 5]);
          release();
          await own.ended(blocker.id);
          const ended = await Promise.all(queued.map(({ id }) => own.ended(id)));
          const order = await one.get<{
            data: readonly EventView[] & readonly { readonly execution_id: string; readonly type: string }[];
          }>('/v1/events?limit=100');
          const starts = order.body.data
            .filter(({ type }) => type === 'workflow.started')
            .map((event) => (event as unknown as { execution_id: string }).execution_id);
          const [p0, p9, p4, p9b, p5] = ended.map(({ id }) => id);
          expect(starts.filter((id) => id !== blocker.id)).toEqual([p9, p9b, p5, p4, p0]);
        } finally {
          await one.stop();
          await narrow.drop();
        }
      });
    });

    describe('access', () => {
      it('requests for an execution return 403 to another team, 404 for an unknown id and 401 without a key', async () => {
        const stranger = await service.newStranger();
        const { id } = await calls.run([set('a', 1)]);
        for (const [method, path] of [
          ['GET', ''],
          ['GET', '/nodes'],
          ['GET', '/events'],
          ['GET', '/events/1/input'],
          ['POST', '/cancel'],
        ] as const) {
          const ask = async (target: string, key: string | null): Promise<number> =>
            (await service.request(method, `/v1/executions/${target}${path}`, { key })).status;
          expect(await ask(id, stranger.key), path).toBe(403);
          expect(await ask(newId(), service.key), path).toBe(404);
          expect(await ask('no-id', service.key), path).toBe(400);
          expect(await ask(id, null), path).toBe(401);
        }
        expect(
          (await service.get<{ data: unknown[] }>('/v1/executions', { key: stranger.key })).body.data,
        ).toEqual([]);
        expect(
          (await service.get(`/v1/executions?project_id=${service.project.id}`, { key: stranger.key }))
            .status,
        ).toBe(403);
        const workflow = (await calls.read(id)).workflow_id;
        const leak = await service.get<{ data: unknown[] }>(`/v1/executions?workflow_id=${workflow}`, {
          key: stranger.key,
        });
        expect(leak.body.data).toEqual([]);
      });

      it('a key needs executions:read to read executions, and executions:write to start or cancel executions', async () => {
        const reader = await service.newKey({ scopes: ['executions:read'] });
        const { id, workflow_id: workflow } = await calls.run([set('a', 1)]);
        expect((await service.get(`/v1/executions/${id}`, { key: reader })).status).toBe(200);
        for (const path of [
          `/v1/workflows/${workflow}/executions`,
          `/v1/workflows/${workflow}/execute`,
          `/v1/executions/${id}/cancel`,
        ]) {
          const answer = await service.post(path, {}, { key: reader });
          expect([answer.status, answer.error.details?.['required_scope']], path).toEqual([
            403,
            'executions:write',
          ]);
        }
        const writer = await service.newKey({ scopes: ['executions:write'] });
        expect((await service.get(`/v1/executions/${id}`, { key: writer })).status).toBe(403);
      });
    });
  });

describe('equal behavior on every database', () => {
  const services: TestService[] = [];
  const databases: TestDatabase[] = [];

  beforeAll(async () => {
    for (const kind of await databaseKinds()) {
      const database = await kind.create();
      databases.push(database);
      services.push(await TestService.start({ database: database.settings }));
    }
  });

  afterAll(async () => {
    for (const service of services) await service.stop();
    for (const database of databases) await database.drop();
  });

  const nested = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
  const BODIES: readonly (readonly [string, string])[] = [
    ['as many levels as allowed', `{"input":${nested(62)}}`],
    ['too many levels', `{"input":${nested(64)}}`],
    ['100,000 levels', `{"input":${nested(100_000)}}`],
    ['a __proto__ key in its input', '{"input":{"__proto__":{"x":1}}}'],
    ['__proto__ and constructor as keys', '{"__proto__":{"input":1},"constructor":1}'],
    ['a number that is too large', '{"input":1e999}'],
    ['a number with many digits', `{"input":${'9'.repeat(400)}}`],
    ['a number with many decimal places', `{"input":0.${'1'.repeat(400)}}`],
    ['a NUL in a string', '{"input":"\\u0000"}'],
    ['a NUL in a key', '{"metadata":{"\\u0000":1}}'],
    ['a lone surrogate', '{"input":"\\ud800"}'],
    ['bytes that are not UTF-8', '{"input":"\u00ff'],
    ['ten megabytes', `{"input":"${'x'.repeat(10_000_000)}"}`],
    ['a size just below the limit', `{"input":"${'x'.repeat(1_040_000)}"}`],
    ['too many keys', `{"input":{${Array.from({ length: 10_001 }, (_, n) => `"k${n}":1`).join(',')}}}`],
    ['a long list', `{"input":[${'1,'.repeat(100_000)}1]}`],
    ['no content', ''],
    ['a list at the top level', '[]'],
    ['null at the top level', 'null'],
    ['an incomplete object', '{"input":'],
    ['a version beyond the integer range', '{"version":9007199254740993}'],
    ['a negative version', '{"version":-1}'],
    ['a priority with a fraction', '{"priority":4.5}'],
    ['a session that does not exist', '{"session_id":"0199c2a4-7f1e-7c3a-9f52-6d1b8e0a4c11"}'],
    ['metadata of every kind', '{"metadata":{"":1,"a.b":null,"c":[1],"d":{"e":1}}}'],
  ];
  const QUERIES = [
    'metadata[a]=1',
    'metadata[]=1',
    'metadata=1',
    'metadata[a][b]=1',
    'metadata[__proto__]=1',
    `metadata[${'k'.repeat(5_000)}]=1`,
    'metadata[%00]=1',
    'metadata[a]=%00',
    'metadata[a]=%ff',
    'created_after=0000-01-01T00:00:00Z',
    'created_after=9999-12-31T23:59:59.999Z',
    'created_before=1970-01-01T00:00:00Z',
    'created_before=%2B275760-09-13T00:00:00Z',
    'offset=10000',
    'limit=1e2',
    'limit=%201',
    'status[]=failed',
    'order=DESC',
    "workflow_id=' OR 1=1 --",
  ];

  async function same(
    ask: (service: TestService) => Promise<{ readonly status: number; readonly said: unknown }>,
    what: string,
  ): Promise<number> {
    const [first, ...others] = await Promise.all(services.map(ask));
    for (const other of others) expect(other, what).toEqual(first);
    expect(first?.status, what).toBeLessThan(500);
    return first?.status ?? 0;
  }

  const said = ({
    status,
    error,
  }: Awaited<ReturnType<TestService['get']>>): { readonly status: number; readonly said: unknown } => ({
    status,
    said: error === undefined ? null : [error.type, error.code, error.details?.['field']],
  });

  it.each(BODIES)(
    'a start request gets the same response on SQLite and PostgreSQL if its body has %s',
    async (what, body) => {
      const answer = async (
        service: TestService,
      ): Promise<{ readonly status: number; readonly said: unknown }> => {
        const workflow = await new ExecutionCalls(service).workflow([set('a', '{{ input }}')]);
        const response = await fetch(`${service.baseUrl}/v1/workflows/${workflow}/executions?wait=10`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${service.key}`,
            ...(body === '' ? {} : { 'content-type': 'application/json' }),
          },
          ...(body === '' ? {} : { body: what.startsWith('bytes') ? Buffer.from(body, 'latin1') : body }),
        });
        const { status: state, error } = (await response.json()) as ExecutionView & {
          readonly error: { type: string; code?: string; details?: JsonObject } | null;
        };
        return {
          status: response.status,
          said: [state ?? null, error?.type ?? null, error?.code ?? null, error?.details?.['field'] ?? null],
        };
      };
      await same(answer, what);
    },
  );

  it.each(QUERIES)(
    'the execution list returns the same response on SQLite and PostgreSQL for the query %s',
    async (query) => {
      await same(async (service) => said(await service.get(`/v1/executions?${query}`)), query);
    },
  );

  it('the service accepts the id of an execution in upper case', async () => {
    const status = await same(async (service) => {
      const { id } = await new ExecutionCalls(service).run([]);
      const upper = id.toUpperCase();
      const statuses = [];
      for (const path of ['', '/nodes', '/events'])
        statuses.push((await service.get(`/v1/executions/${upper}${path}`)).status);
      return { status: Math.max(...statuses), said: statuses };
    }, 'upper case');
    expect(status).toBe(200);
  });
});
