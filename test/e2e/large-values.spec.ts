import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../src/expressions/index.js';
import { RunMemory } from '../../src/execution-runner/index.js';
import { databaseKinds, type TestDatabase } from '../support/database.js';
import { ExecutionCalls, type ExecutionView, type NodeView } from '../support/execution-views.js';
import { TestService } from '../support/service.js';
import { ServiceProcess } from '../support/service-process.js';
import { until } from '../support/until.js';

/** An execution in a response. URLs replace values that are too large for the response. */
interface Shown extends ExecutionView {
  readonly input_truncated?: true;
  readonly input_url?: string;
  readonly output_truncated?: true;
  readonly output_url?: string;
}

const set = (id: string, value: Json, more: JsonObject = {}): JsonObject => ({
  id,
  type: 'set',
  with: { value },
  ...more,
});

/** A node definition. The output of the node is a string of the given number of kilobytes. */
const text = (id: string, kilobytes: number, more: JsonObject = {}): JsonObject => ({
  id,
  type: 'code',
  with: { source: `return ${JSON.stringify(id)} + 'x'.repeat(${kilobytes * 1_000})` },
  ...more,
});
const textOf = (id: string, kilobytes: number): string => id + 'x'.repeat(kilobytes * 1_000);

for (const kind of await databaseKinds())
  describe(`large values on ${kind.name}`, () => {
    let database: TestDatabase;
    let service: TestService;
    let calls: ExecutionCalls;

    beforeAll(async () => {
      database = await kind.create();
      service = await TestService.start({
        database: database.settings,
        environment: { EXECUTION_MAX_BYTES: '10000000' },
      });
      calls = new ExecutionCalls(service);
    });
    afterAll(async () => {
      await service?.stop();
      await database?.drop();
    });

    /** Reads a value from a URL in a response. */
    async function at(url: string | undefined): Promise<Json> {
      const response = await fetch(service.baseUrl + (url ?? '/'), {
        headers: { authorization: `Bearer ${service.key}` },
      });
      expect(response.headers.get('content-type')).toContain('application/json');
      return (await response.json()) as Json;
    }

    it('an execution fails with `execution_too_large` if it would store more than EXECUTION_MAX_BYTES', async () => {
      const nodes = Array.from({ length: 6 }, (_, n) =>
        text(`n${n}`, 3_000, n === 0 ? {} : { needs: [`n${n - 1}`] }),
      );
      const { id, status, status_reason: reason, error } = await calls.run(nodes);
      expect({ status, reason }).toEqual({ status: 'failed', reason: 'execution_too_large' });
      expect(error).toMatchObject({
        type: 'execution_too_large',
        node_id: null,
        details: { limit: 10_000_000 },
      });
      expect(error?.message).toMatch(/would take \d+ bytes\. The maximum is 10000000\./);
      expect((await calls.events(id)).at(-1)).toMatchObject({
        type: 'workflow.failed',
        data: { error: { type: 'execution_too_large' } },
      });
    });

    it('the limit EXECUTION_MAX_BYTES also counts the bytes that an execution stored before its suspension', async () => {
      const workflowId = await calls.workflow([
        text('a', 3_000),
        { id: 'pause', type: 'wait', with: { signal: 'go' }, needs: ['a'] },
        text('b', 3_000, { needs: ['pause'] }),
        text('c', 3_000, { needs: ['b'] }),
        text('d', 3_000, { needs: ['c'] }),
      ]);
      const { id } = await calls.start(workflowId);
      await calls.until(id, ({ status }) => status === 'waiting');
      await service.post(`/v1/executions/${id}/signals/go`, {});
      expect((await calls.ended(id)).status_reason).toBe('execution_too_large');
    });

    it('expressions can read an input and an output of 50 KB and more, even after a suspension', async () => {
      const workflowId = await calls.workflow(
        [
          text('big', 100),
          { id: 'pause', type: 'wait', with: { signal: 'go' }, needs: ['big'] },
          set('sizes', [
            '{{ nodes.big.output.size() }}',
            '{{ input.list.size() }}',
            '{{ nodes.big.status }}',
            '{{ nodes.pause.output }}',
          ]),
        ],
        { output: { sizes: '{{ nodes.sizes.output }}', first: '{{ nodes.big.output.substring(0, 4) }}' } },
      );
      const { id } = await calls.start(workflowId, { input: { list: Array<string>(9_000).fill('abc') } });
      await calls.until(id, ({ status }) => status === 'waiting');
      await service.post(`/v1/executions/${id}/signals/go`, { payload: 'y'.repeat(50_000) });
      const { output, input } = await calls.ended(id);
      expect(output).toEqual({
        sizes: [100_003, 9_000, 'completed', 'y'.repeat(50_000)],
        first: 'bigx',
      });
      expect(input).toEqual({ list: Array<string>(9_000).fill('abc') });
    });

    it('the API returns a URL instead of an execution output that exceeds 1 MiB', async () => {
      const nodes = [text('a', 700), text('b', 700), set('c', { short: true })];
      const ended: Shown = await calls.run(nodes);
      expect(ended).toMatchObject({ status: 'completed', output: null, output_truncated: true });
      const whole = { a: textOf('a', 700), b: textOf('b', 700), c: { short: true } };
      expect(await at(ended.output_url)).toEqual(whole);
      const read: Shown = await calls.read(ended.id);
      expect(read).toMatchObject({ output: null, output_truncated: true, output_url: ended.output_url });
      const list = await service.get<{ data: readonly Shown[] }>('/v1/executions?limit=1');
      expect(list.body.data[0]).toMatchObject({ id: ended.id, output: null, output_truncated: true });
      const events = await calls.events(ended.id);
      expect(events.at(-1)?.data).toMatchObject({
        output_truncated: true,
        output_url: ended.output_url,
        output_bytes: JSON.stringify(whole).length,
      });
    });

    it('the API returns an execution output of 900 KB in full', async () => {
      const ended = await calls.run([text('a', 900)]);
      expect(ended.output).toBe(textOf('a', 900));
      expect(ended).not.toHaveProperty('output_truncated');
      expect((await calls.read(ended.id)).output).toBe(textOf('a', 900));
    });

    it('a page of the node list contains at most 4 MiB of outputs, and a URL for each further output', async () => {
      const { id } = await calls.run([
        text('a', 3_000),
        text('b', 3_000),
        set('end', 1, { needs: ['a', 'b'] }),
      ]);
      const rows: readonly (NodeView & Pick<Shown, 'output_url'>)[] = [...(await calls.nodes(id)).values()];
      expect(rows.map(({ output }) => typeof output)).toEqual(['string', 'object', 'number']);
      expect(rows[1]).toMatchObject({ node_id: 'b', output: null, output_truncated: true });
      expect(await at(rows[1]?.output_url)).toBe(textOf('b', 3_000));
    });

    it('the service truncates error details to 16 KiB', async () => {
      const details = { status: 500, body: 'x'.repeat(600_000) };
      const { error } = await calls.run(
        [{ id: 'a', type: 'fail', with: { message: 'Failed.', details: '{{ input }}' } }],
        details,
      );
      expect(error?.details).toMatchObject({ status: 500, truncated: true });
      expect(JSON.stringify(error).length).toBeLessThan(17_000);
    });

    it('a retry reuses a node output of 900 KB, and expressions can read this output', async () => {
      const workflowId = await calls.workflow(
        [
          text('a', 900),
          set('fails', '{{ nodes.a.output.size() > 5 ? input.missing : 1 }}'),
          set('after', '{{ nodes.a.output.size() }}', { needs: ['fails'] }),
        ],
        { config: {} },
      );
      const failed = await calls.start(workflowId, { input: {} }, '?wait=60');
      expect(failed.status).toBe('failed');
      const { body: retry } = await service.post<ExecutionView>(`/v1/executions/${failed.id}/retry`, {});
      expect((await calls.ended(retry.id)).error?.node_id).toBe('fails');
      expect((await calls.nodes(retry.id)).get('a')?.output).toBe(textOf('a', 900));
    });

    it('a parent execution receives a child output of 900 KB, and fails if the child output exceeds the size limit', async () => {
      const child = await calls.workflow([text('a', 900)]);
      const parent = await calls.run(
        [{ id: 'child', type: 'workflow', with: { workflow_id: child } }],
        null,
        { output: '{{ nodes.child.output.size() }}' },
      );
      expect(parent.output).toBe(900_001);
      const large = await calls.workflow([text('a', 3_000), text('b', 3_000)]);
      const refused = await calls.run([{ id: 'child', type: 'workflow', with: { workflow_id: large } }]);
      expect(refused).toMatchObject({ status: 'failed', error: { type: 'output_too_large' } });
    });

    it('expressions in a loop can read node outputs of 30 KB of the same item', async () => {
      const inside = [text('long', 30), set('size', '{{ nodes.long.output.size() + item }}')];
      const ended = await calls.run([
        { id: 'each', type: 'foreach', with: { items: [1, 2, 3], nodes: inside } },
        { id: 'whole', type: 'foreach', with: { items: [1, 2], nodes: [text('text', 30)] } },
        set('end', ['{{ nodes.each.output }}', '{{ nodes.whole.output.map(t, t.size()) }}']),
      ]);
      expect(ended.output).toEqual([
        [30_005, 30_006, 30_007],
        [30_004, 30_004],
      ]);
    });

    it('expressions in a loop can read node outputs of 30 KB after the execution was suspended between items', async () => {
      const inside = [
        text('long', 30),
        { id: 'pause', type: 'wait', with: { signal: 'go' }, needs: ['long'] },
      ];
      const output = '{{ nodes.long.output.size() + item }}';
      const workflowId = await calls.workflow([
        {
          id: 'each',
          type: 'foreach',
          with: { items: [1, 2, 3], nodes: inside, output, max_concurrency: 1 },
        },
      ]);
      const { id } = await calls.start(workflowId);
      for (const item of [1, 2, 3]) {
        await calls.until(id, ({ status, last_sequence: last }) => status === 'waiting' && last >= item * 5);
        await service.post(`/v1/executions/${id}/signals/go`, {});
      }
      expect((await calls.ended(id)).output).toEqual([30_005, 30_006, 30_007]);
    });

    it('an execution stays queued while the process has no free memory, and the explain endpoint returns this cause', async () => {
      const memory = service.app.get(RunMemory, { strict: false });
      const workflowId = await calls.workflow([set('a', 1)]);
      memory.hold(Number.MAX_SAFE_INTEGER / 2);
      const { id, status } = await calls.start(workflowId);
      expect(status).toBe('queued');
      const { body } = await service.get<JsonObject>(`/v1/executions/${id}/explain`);
      expect(body).toMatchObject({ cause: 'no_free_memory' });
      memory.hold(-Number.MAX_SAFE_INTEGER / 2);
      expect((await calls.ended(id)).status).toBe('completed');
    });
  });

describe('a process with little memory', () => {
  const BODY = JSON.stringify('x'.repeat(600_000));
  const held: ServerResponse[] = [];
  let isHolding = true;
  const server = createServer((request, response) => {
    if (request.url === '/large') response.writeHead(200, { 'content-type': 'application/json' }).end(BODY);
    else if (isHolding) held.push(response);
    else response.end();
  });
  let service: TestService;
  let calls: ExecutionCalls;
  let address: string;

  beforeAll(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    service = await TestService.start({
      environment: {
        EGRESS_ALLOW: '127.0.0.1',
        PROCESS_MAX_BYTES: '1048576',
        EXECUTION_MAX_BYTES: '2000000',
      },
    });
    calls = new ExecutionCalls(service);
  });
  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await service?.stop();
  });

  it('a process with PROCESS_MAX_BYTES of 1 MiB receives large HTTP responses one at a time', async () => {
    const memory = service.app.get(RunMemory, { strict: false });
    const reserve = memory.reserveResult.bind(memory);
    let active = 0;
    let most = 0;
    memory.reserveResult = async (...wanted) => {
      const free = await reserve(...wanted);
      active += 1;
      most = Math.max(most, active);
      return () => {
        active -= 1;
        free();
      };
    };
    const workflowId = await calls.workflow([{ id: 'a', type: 'http', with: { url: `${address}/large` } }], {
      output: '{{ nodes.a.output.body.size() }}',
    });
    const started = await Promise.all(Array.from({ length: 6 }, () => calls.start(workflowId)));
    for (const { id } of started) expect((await calls.ended(id)).output).toBe(600_000);
    expect({ active, most }).toEqual({ active: 0, most: 1 });
  });

  it('an execution stays queued while the items of running loops use all memory that PROCESS_MAX_BYTES allows', async () => {
    const loop = await calls.workflow([
      {
        id: 'each',
        type: 'foreach',
        with: {
          items: '{{ input }}',
          nodes: [{ id: 'call', type: 'http', with: { url: `${address}/held` } }],
          output: 1,
        },
      },
    ]);
    const small = await calls.workflow([set('a', 1)]);
    const items = ['x'.repeat(200_000), 'y'.repeat(200_000)];
    const loops = [await calls.start(loop, { input: items })];
    await until('the first loop', () => held.length === 2);
    loops.push(await calls.start(loop, { input: items }));
    await until('the second loop', () => held.length === 4);
    const { id, status } = await calls.start(small);
    expect(status).toBe('queued');
    const { body } = await service.get<JsonObject>(`/v1/executions/${id}/explain`);
    expect(body).toMatchObject({ cause: 'no_free_memory' });
    isHolding = false;
    for (const response of held.splice(0)) response.end();
    for (const { id: loopId } of loops) expect((await calls.ended(loopId)).output).toEqual([1, 1]);
    expect((await calls.ended(id)).status).toBe('completed');
  });

  it('an execution fails if its first commit would store more than EXECUTION_MAX_BYTES', async () => {
    const nodes = [set('a', '{{ input }}'), set('b', '{{ input }}')];
    const { id, status_reason: reason } = await calls.run(nodes, 'x'.repeat(900_000));
    expect(reason).toBe('execution_too_large');
    expect((await calls.events(id)).map(({ type }) => type)).toEqual(['workflow.queued', 'workflow.failed']);
  });
});

describe('many concurrent large outputs', () => {
  let service: ServiceProcess;
  beforeAll(async () => {
    service = new ServiceProcess({
      NODE_OPTIONS: '--max-old-space-size=200',
      EXECUTION_MAX_BYTES: String(32 * 1024 * 1024),
    });
    await service.start();
  });
  afterAll(() => service?.dispose());

  it('a service with a heap of 200 MB survives concurrent large outputs and completes small executions', async () => {
    const workflow = (nodes: readonly JsonObject[]): Promise<{ readonly id: string }> =>
      service.call('POST', '/v1/workflows', { name: 'large', nodes });
    const nodes = Array.from({ length: 40 }, (_, n) => ({
      id: `n${n}`,
      type: 'code',
      with: { source: 'return Array(400000).fill("abcdef")' },
    }));
    const large = await workflow(nodes);
    const small = await workflow([set('a', '{{ input }}')]);
    const start = (id: string, query = ''): Promise<ExecutionView> =>
      service.call('POST', `/v1/workflows/${id}/executions${query}`, { input: 1 });
    const started = await Promise.all(Array.from({ length: 4 }, () => start(large.id)));
    const open = new Set(started.map(({ id }) => id));
    const reasons: (string | null)[] = [];
    while (open.size > 0) {
      expect((await start(small.id, '?wait=60')).status).toBe('completed');
      for (const id of open) {
        const read = await service.call<ExecutionView>('GET', `/v1/executions/${id}`);
        if (read.finished_at === null) continue;
        open.delete(id);
        reasons.push(read.status_reason);
      }
    }
    expect(reasons).toEqual(Array<string>(4).fill('execution_too_large'));
    expect(service.hasDied).toBe(false);
  });
});
