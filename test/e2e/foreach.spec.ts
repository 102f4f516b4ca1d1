import { setTimeout as pause } from 'node:timers/promises';
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../src/expressions/index.js';
import { ExecutionsWorld } from '../support/executions-world.js';
import { databaseKinds } from '../support/database.js';
import { ExecutionCalls, type ExecutionView, type NodeView } from '../support/execution-views.js';
import { FlakyServer, json } from '../support/flaky-server.js';
import { TestService } from '../support/service.js';

interface NodePage {
  readonly data: readonly (NodeView & { readonly iteration: number | null })[];
  readonly pagination: {
    readonly total: number;
    readonly has_more: boolean;
    readonly next_cursor?: string;
  };
}

const set = (id: string, value: Json, more: JsonObject = {}): JsonObject => ({
  id,
  type: 'set',
  with: { value },
  ...more,
});
const foreach = (items: Json, nodes: readonly JsonObject[], more: JsonObject = {}): JsonObject => ({
  items,
  nodes,
  ...more,
});
const each = (items: Json, nodes: readonly JsonObject[], more: JsonObject = {}): JsonObject => ({
  id: 'each',
  type: 'foreach',
  with: foreach(items, nodes, more),
});

for (const kind of await databaseKinds())
  describe(`foreach on ${kind.name}`, () => {
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
      with: { method: 'POST', url: server.url(path) },
      ...more,
    });
    const rows = async (id: string, query = ''): Promise<NodePage> =>
      (await service.get<NodePage>(`/v1/executions/${id}/nodes?limit=100${query}`)).body;
    const faults = async (nodes: readonly JsonObject[]): Promise<readonly [string, string][]> => {
      const { status, body } = await service.post<{
        error: { details: { errors: readonly { field: string; code: string }[] } };
      }>('/v1/workflows', { name: 'faulty', nodes });
      expect(status).toBe(400);
      return body.error.details.errors.map(({ field, code }) => [field, code]);
    };

    it('a `foreach` loop passes the results of its items in order to the nodes after the loop', async () => {
      const { status, output, progress } = await calls.run(
        [
          set('factor', 10),
          each(
            '{{ input.items }}',
            [
              set('times', '{{ item.n * nodes.factor.output }}'),
              set('text', '#{{ index }}: {{ nodes.times.output }}'),
            ],
            { output: { n: '{{ item.n }}', text: '{{ nodes.text.output }}' } },
          ),
          set('sum', '{{ nodes.each.output.map(o, o.n).sum() }} of {{ size(nodes.each.output) }}'),
        ],
        { items: [{ n: 1 }, { n: 2 }, { n: 3 }] },
        { output: { list: '{{ nodes.each.output }}', sum: '{{ nodes.sum.output }}' } },
      );
      expect({ status, output, progress }).toEqual({
        status: 'completed',
        output: {
          list: [
            { n: 1, text: '#0: 10' },
            { n: 2, text: '#1: 20' },
            { n: 3, text: '#2: 30' },
          ],
          sum: '6 of 3',
        },
        progress: { completed: 3, total: 3 },
      });
    });

    it('a loop runs at most `max_concurrency` items at a time and sends a different idempotency key for each item', async () => {
      let inFlight = 0;
      let most = 0;
      const keys: unknown[] = [];
      server.on('/fan', (request, response) => {
        keys.push(request.headers['idempotency-key']);
        most = Math.max(most, (inFlight += 1));
        setTimeout(() => {
          inFlight -= 1;
          json(response, { n: keys.length });
        }, 20);
      });
      const execution = await calls.run(
        [
          each('{{ input }}', [http('call', '/fan')], {
            max_concurrency: 3,
            output: '{{ nodes.call.output.status }}',
          }),
        ],
        Array.from({ length: 12 }, (_, n) => n),
      );
      expect(execution).toMatchObject({ status: 'completed', output: Array.from({ length: 12 }, () => 200) });
      expect(most).toBe(3);
      expect(keys).toHaveLength(12);
      expect(new Set(keys)).toEqual(
        new Set(Array.from({ length: 12 }, (_, n) => `${execution.id}:call[${n}]`)),
      );
    });

    it('the `max_concurrency` of a workflow also limits the items of its loops', async () => {
      let inFlight = 0;
      let most = 0;
      server.on('/narrow', (_, response) => {
        most = Math.max(most, (inFlight += 1));
        setTimeout(() => {
          inFlight -= 1;
          json(response, {});
        }, 10);
      });
      const { status } = await calls.run(
        [each('{{ [1, 2, 3, 4, 5, 6] }}', [http('call', '/narrow')])],
        null,
        {
          config: { max_concurrency: 2 },
        },
      );
      expect([status, most]).toEqual(['completed', 2]);
    });

    it('a loop fails with the error of the first failed item and cancels the other items', async () => {
      const held: ServerResponse[] = [];
      server.on('/slow', (_, response) => held.push(response));
      server.on('/bad', async (_, response) => {
        while (held.length < 2) await pause(5);
        json(response, { why: 'no' }, 500);
      });
      const paths = ['/slow', '/bad', '/slow', '/never', '/never'];
      const url = `http://${server.address}{{ item }}`;
      const call = { id: 'call', type: 'http', with: { url } };
      const execution = await calls.run([each('{{ input }}', [call], { max_concurrency: 3 })], paths);
      expect(execution).toMatchObject({
        status: 'failed',
        error: {
          type: 'item_failed',
          message: expect.stringMatching(/^Item 1 failed in "call": /),
          node_id: 'each',
          details: { index: 1, node_id: 'call', error: { code: 'http_status_error' } },
        },
        progress: { completed: 1, total: 1 },
      });
      for (let tries = 0; server.left.length < 2 && tries < 200; tries += 1) await pause(10);
      expect(server.left.filter((path) => path === '/slow')).toHaveLength(2);
      expect(server.count('/never')).toBe(0);
      expect((await rows(execution.id)).data.map(({ iteration, status }) => [iteration, status])).toEqual([
        [null, 'failed'],
        [0, 'cancelled'],
        [1, 'failed'],
        [2, 'cancelled'],
        [3, 'cancelled'],
        [4, 'cancelled'],
      ]);
    });

    it('a failed loop aborts the running HTTP requests of its other items, even if the execution continues', async () => {
      const held: ServerResponse[] = [];
      server.on('/abandoned', (_, response) => held.push(response));
      server.on('/breaks', async (_, response) => {
        while (held.length < 1) await pause(5);
        json(response, {}, 500);
      });
      const url = `http://${server.address}{{ item }}`;
      const execution = await calls.run(
        [
          { ...each('{{ input }}', [{ id: 'call', type: 'http', with: { url } }]), on_error: 'continue' },
          { id: 'nap', type: 'delay', with: { seconds: 0.3 }, needs: ['each'] },
          set('after', '{{ nodes.each.status }}, {{ nodes.each.error.code }}', { needs: ['nap'] }),
        ],
        ['/abandoned', '/breaks'],
      );
      expect(execution).toMatchObject({ status: 'completed', output: 'failed, item_failed' });
      expect(server.left.filter((path) => path === '/abandoned')).toHaveLength(1);
    });

    it('a loop with `on_error: continue` returns an error object for each failed item and a result for every other item', async () => {
      const { status, output } = await calls.run(
        [
          each(
            '{{ input }}',
            [
              set('half', '{{ 100 / item }}'),
              { id: 'no', type: 'fail', if: 'item == 7', with: { message: 'Not {{ item }}.', details: 7 } },
            ],
            { on_error: 'continue', output: '{{ nodes.half.output }}' },
          ),
        ],
        [4, 'x', 7, 5],
      );
      expect({ status, output }).toEqual({
        status: 'completed',
        output: [
          25,
          {
            error: {
              code: 'expression_error',
              message: expect.stringContaining('"half"'),
              node_id: 'half',
            },
          },
          { error: { code: expect.any(String), message: 'Not 7.', node_id: 'no', details: 7 } },
          20,
        ],
      });
    });

    it('a loop retries failed nodes in its body and skips nodes whose condition is false', async () => {
      server.on('/second', (_, response, call) => json(response, { call }, call % 2 === 1 ? 503 : 200));
      const retry = { max_attempts: 3, backoff: 'fixed', initial_delay_ms: 10, jitter: false };
      const execution = await calls.run(
        [
          each('{{ input }}', [http('call', '/second', { retry, if: 'item' }), set('said', 1)], {
            max_concurrency: 1,
            output: '{{ nodes.call.status }}',
          }),
        ],
        [true, false, true],
      );
      expect(execution).toMatchObject({
        status: 'completed',
        output: ['completed', 'skipped', 'completed'],
      });
      const { data } = await rows(execution.id, '&node_id=call');
      expect(data.map(({ iteration, status, attempts }) => [iteration, status, attempts.length])).toEqual([
        [0, 'completed', 2],
        [1, 'skipped', 0],
        [2, 'completed', 2],
      ]);
    });

    it('an execution has status waiting while all items of a loop wait, and completes afterwards', async () => {
      const workflow = await calls.workflow([
        each('{{ [6, 7] }}', [
          { id: 'nap', type: 'delay', with: { seconds: '{{ item }}' } },
          set('woke', '{{ index }}', { needs: ['nap'] }),
        ]),
      ]);
      const { body } = await service.post<ExecutionView>(`/v1/workflows/${workflow}/executions`);
      const asleep = await calls.until(body.id, ({ status }) => status === 'waiting');
      expect(asleep.progress).toEqual({ completed: 0, total: 1 });
      const waiting = (await calls.events(body.id)).find(({ type }) => type === 'workflow.waiting');
      expect(waiting?.data['node_ids']).toEqual(['nap']);
      expect(await calls.ended(body.id)).toMatchObject({ status: 'completed', output: [0, 1] });
    });

    it('a loop aborts its running HTTP requests if the loop times out or the execution is cancelled', async () => {
      server.on('/hangs', () => undefined);
      const hanging = each('{{ [1, 2] }}', [http('call', '/hangs')]);
      const late = await calls.run([{ ...hanging, timeout_seconds: 1 }]);
      expect(late).toMatchObject({ status: 'failed', error: { type: 'node_timeout', node_id: 'each' } });
      const workflow = await calls.workflow([hanging]);
      const { body } = await service.post<ExecutionView>(`/v1/workflows/${workflow}/executions`);
      while (server.count('/hangs') < 4) await pause(10);
      await service.post(`/v1/executions/${body.id}/cancel`);
      expect((await calls.ended(body.id)).status).toBe('cancelled');
      for (let tries = 0; tries < 200; tries += 1) {
        if (server.left.filter((path) => path === '/hangs').length === 4) break;
        await pause(10);
      }
      expect(server.left.filter((path) => path === '/hangs')).toHaveLength(4);
    });

    it('the API pages through the 20,003 nodes of a loop with 10,000 items and filters them by node id', async () => {
      const workflow = await calls.workflow([
        set('before', 1),
        each('{{ input }}', [
          set('a', '{{ item + nodes.before.output }}'),
          set('b', '{{ nodes.a.output * 2 }}'),
        ]),
        set('last', '{{ nodes.each.output[9999] }}'),
      ]);
      const { body } = await service.post<ExecutionView>(`/v1/workflows/${workflow}/executions?wait=60`, {
        input: Array.from({ length: 10_000 }, (_, n) => n),
      });
      expect(body).toMatchObject({
        status: 'completed',
        output: 20_000,
        progress: { completed: 3, total: 3 },
      });
      const page = await rows(body.id, '&offset=9002');
      expect(page.pagination).toMatchObject({ total: 20_003, has_more: true });
      expect(page.data.slice(0, 2)).toMatchObject([
        { node_id: 'a', iteration: 4_500, output: 4_501 },
        { node_id: 'b', iteration: 4_500, output: 9_002 },
      ]);
      const next = await rows(body.id, `&cursor=${page.pagination.next_cursor}`);
      expect(next.data[0]).toMatchObject({ node_id: 'a', iteration: 4_550, status: 'completed' });
      const narrowed = await rows(body.id, '&node_id=b&offset=9999');
      expect(narrowed.pagination).toMatchObject({ total: 10_000, has_more: false });
      expect(narrowed.data).toMatchObject([{ node_id: 'b', iteration: 9_999, output: 20_000 }]);
      expect((await rows(body.id, '&node_id=nobody')).data).toEqual([]);
    });

    it('the API lists the nodes in the body of a loop only after the loop has started', async () => {
      const held: ServerResponse[] = [];
      server.on('/held', (_, response) => held.push(response));
      const workflow = await calls.workflow(
        [
          http('first', '/held'),
          each('{{ ["x", "y"] }}', [http('call', '/held')], { max_concurrency: 1 }),
        ].map((node, index) => (index === 1 ? { ...node, needs: ['first'] } : node)),
      );
      const { body } = await service.post<ExecutionView>(`/v1/workflows/${workflow}/executions`);
      while (held.length < 1) await pause(5);
      expect((await rows(body.id)).data.map(({ node_id, status }) => [node_id, status])).toEqual([
        ['first', 'running'],
        ['each', 'pending'],
      ]);
      json(held[0] as ServerResponse, {});
      while (held.length < 2) await pause(5);
      expect(
        (await rows(body.id)).data.map(({ node_id, iteration, status }) => [node_id, iteration, status]),
      ).toEqual([
        ['first', null, 'completed'],
        ['each', null, 'running'],
        ['call', 0, 'running'],
        ['call', 1, 'pending'],
      ]);
      json(held[1] as ServerResponse, {});
      while (held.length < 3) await pause(5);
      json(held[2] as ServerResponse, {});
      expect((await calls.ended(body.id)).status).toBe('completed');
    });

    it('a loop fails and names the cause if `items` is not a list or is too long, or the output is too large', async () => {
      const nodes = [
        each('{{ input.items }}', [set('a', '{{ input.text }}')], { max_concurrency: '{{ input.n }}' }),
      ];
      const errorOf = async (input: Json): Promise<JsonObject> => {
        const { error } = await calls.run(nodes, input);
        return { type: error?.type ?? '', message: error?.message ?? '' };
      };
      expect(await errorOf({ items: { a: 1 }, n: 1 })).toEqual({
        type: 'invalid_parameters',
        message: '`items` must be a list, but it is a map.',
      });
      expect(await errorOf({ items: Array.from({ length: 10_001 }, () => 0), n: 1 })).toEqual({
        type: 'invalid_parameters',
        message: '`items` has 10001 elements. The maximum is 10000.',
      });
      expect(await errorOf({ items: [1], n: 0 })).toEqual({
        type: 'invalid_parameters',
        message: '`max_concurrency` must be a whole number from 1 to 500.',
      });
      expect(await errorOf({ items: [1, 2, 3, 4, 5], n: 5, text: 'x'.repeat(900_000) })).toMatchObject({
        type: 'output_too_large',
      });
      expect(await calls.run(nodes, { items: [], n: 5 })).toMatchObject({ status: 'completed', output: [] });
    });

    it('the API rejects a workflow with errors in the body of a loop and names the path of each error', async () => {
      expect(
        await faults([
          each('{{ secrets.list }}', [
            set('a', '{{ nodes.ghost.output }}', { if: '1 +' }),
            each('{{ item }}', [set('c', 1)]),
            { id: 'b', type: 'http', with: { url: 7 } },
          ]),
          set('out', '{{ nodes.a.output }}', { needs: ['b'] }),
          set('a', '{{ item }}'),
        ]),
      ).toEqual(
        expect.arrayContaining([
          ['nodes[0].with.items', 'unknown_name'],
          ['nodes[0].with.nodes[0].if', 'expression_syntax'],
          ['nodes[0].with.nodes[0].with.value', 'unknown_node'],
          ['nodes[0].with.nodes[0].id', 'duplicate_node_id'],
          ['nodes[0].with.nodes[1].type', 'nested_loop'],
          ['nodes[0].with.nodes[1].id', 'duplicate_node_id'],
          ['nodes[0].with.nodes[2].with.url', expect.any(String)],
          ['nodes[1].needs[0]', 'node_inside_loop'],
          ['nodes[2].with.value', 'unknown_name'],
        ]),
      );
      expect(
        await faults([
          {
            id: 'each',
            type: 'foreach',
            retry: { max_attempts: 2 },
            with: foreach(
              'text',
              [{ id: 'a', type: 'set', with: { value: 1 }, timeout_seconds: '{{ 1 }}' }],
              {
                on_error: '{{ "fail" }}',
              },
            ),
          },
        ]),
      ).toEqual(
        expect.arrayContaining([
          ['nodes[0].with.items', expect.any(String)],
          ['nodes[0].with.nodes[0].timeout_seconds', expect.any(String)],
          ['nodes[0].with.on_error', expect.any(String)],
        ]),
      );
      expect(await faults([{ ...each('{{ [1] }}', [set('a', 1)]), retry: { max_attempts: 2 } }])).toEqual([
        ['nodes[0].retry', 'retry_of_loop'],
      ]);
    });
  });
