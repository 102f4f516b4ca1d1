import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds, type TestDatabase } from '../support/database.js';
import { ExecutionCalls, type ExecutionView } from '../support/execution-views.js';
import { FlakyServer, json } from '../support/flaky-server.js';
import { OtlpReceiver, type ReceivedSpan, treeFaults } from '../support/otlp-receiver.js';
import { TestService } from '../support/service.js';
import { until } from '../support/until.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';
const CALLER = { traceparent: `00-${TRACE}-${SPAN}-01`, tracestate: 'vendor=1' };

type Traced = ExecutionView & { readonly trace_id: string };

describe.each(await databaseKinds())('traces on $name', (kind) => {
  let database: TestDatabase;
  let collector: OtlpReceiver;
  let server: FlakyServer;
  let service: TestService;
  let calls: ExecutionCalls;
  const sent: Record<string, string | string[] | undefined>[] = [];

  beforeAll(async () => {
    database = await kind.create();
    collector = await OtlpReceiver.start();
    server = await FlakyServer.start();
    server.on('/', (request, response) => {
      sent.push(request.headers);
      json(response, { ok: true });
    });
    server.on('/flaky', (_request, response, call) => json(response, {}, call === 1 ? 503 : 200));
    service = await TestService.start({
      database: database.settings,
      environment: {
        EGRESS_ALLOW: server.address,
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_EXPORTER_OTLP_HEADERS: 'x-api-key=a%20b',
        OTEL_SERVICE_NAME: 'orders',
      },
    });
    calls = new ExecutionCalls(service);
  });

  afterAll(async () => {
    await service.stop();
    await collector.stop();
    await server.stop();
    await database.drop();
  });

  async function run(
    nodes: Parameters<ExecutionCalls['workflow']>[0],
    headers: Readonly<Record<string, string>> = {},
    input: string | null = null,
  ): Promise<Traced> {
    const id = await calls.workflow(nodes);
    const { body } = await service.post<Traced>(
      `/v1/workflows/${id}/executions?wait=60`,
      { input },
      { headers },
    );
    return body;
  }

  const named = (spans: readonly ReceivedSpan[], name: string): readonly ReceivedSpan[] =>
    spans.filter((span) => span.name === name);

  it('the trace of an execution has a root span and one span for each attempt of a node', async () => {
    const execution = await run([
      { id: 'a', type: 'set', with: { value: 1 } },
      { id: 'b', type: 'set', needs: ['a'], with: { value: 2 } },
    ]);
    const spans = await collector.ended(execution.id);
    expect(treeFaults(spans)).toEqual([]);
    expect(spans.map(({ name }) => name).toSorted()).toEqual(['execution', 'set a', 'set b']);
    const [root] = named(spans, 'execution');
    expect(root).toMatchObject({
      traceId: execution.trace_id,
      parentSpanId: null,
      status: 0,
      service: 'orders',
    });
    expect(execution.trace_id).toBe(execution.id.replaceAll('-', ''));
    expect(root?.start).toBe(Date.parse(execution.created_at));
    expect(root?.end).toBe(Date.parse(execution.finished_at ?? ''));
    expect(collector.headers.at(-1)).toMatchObject({ 'x-api-key': 'a b' });
  });

  it('an execution continues the trace of its caller, and http nodes pass the trace on', async () => {
    const nodes = [{ id: 'call', type: 'http', with: { url: server.url('/') } }];
    const execution = await run(nodes, { ...CALLER, baggage: 'user=7' });
    expect(execution.trace_id).toBe(TRACE);
    const spans = await collector.ended(execution.id);
    expect(treeFaults(spans, SPAN)).toEqual([]);
    const [call] = named(spans, 'http call');
    const headers = sent.at(-1);
    expect(headers).toMatchObject({
      traceparent: `00-${TRACE}-${call?.spanId}-01`,
      tracestate: 'vendor=1',
    });
    expect(headers).not.toHaveProperty('baggage');
    expect(spans.every(({ traceState }) => traceState === 'vendor=1')).toBe(true);
  });

  it('an execution starts a new trace if the traceparent header of the caller is invalid', async () => {
    const execution = await run([{ id: 'a', type: 'set', with: { value: 1 } }], {
      traceparent: `00-${TRACE}-0000000000000000-01`,
      tracestate: 'vendor=1',
    });
    expect(execution).toMatchObject({ status: 'completed', trace_id: execution.id.replaceAll('-', '') });
    expect(treeFaults(await collector.ended(execution.id))).toEqual([]);
  });

  it('the service exports no spans of an execution if the traceparent header of the caller turns sampling off', async () => {
    const nodes = [{ id: 'call', type: 'http', with: { url: server.url('/') } }];
    const silent = await run(nodes, { traceparent: `00-${TRACE}-${SPAN}-00` });
    expect(sent.at(-1)?.['traceparent']).toMatch(new RegExp(`^00-${TRACE}-[0-9a-f]{16}-00$`));
    const after = await run([{ id: 'a', type: 'set', with: { value: 1 } }]);
    await collector.ended(after.id);
    expect(collector.of(silent.id).size).toBe(0);
  });

  it('each attempt of a node and each item of a loop has its own span', async () => {
    const execution = await run([
      {
        id: 'each',
        type: 'foreach',
        with: { items: [1, 2, 3], nodes: [{ id: 'inner', type: 'set', with: { value: '{{ item }}' } }] },
      },
      {
        id: 'again',
        type: 'http',
        with: { url: server.url('/flaky') },
        retry: { max_attempts: 3, initial_delay_ms: 1 },
      },
    ]);
    const spans = await collector.ended(execution.id);
    expect(treeFaults(spans)).toEqual([]);
    const [loop] = named(spans, 'foreach each');
    const items = named(spans, 'set inner');
    expect(new Set(items.map(({ attributes }) => attributes['workflow_service.node.item']))).toEqual(
      new Set([0, 1, 2]),
    );
    expect(items.every(({ parentSpanId }) => parentSpanId === loop?.spanId)).toBe(true);
    const attempts = named(spans, 'http again');
    expect(
      attempts.map(({ status, attributes }) => [status, attributes['workflow_service.outcome']]),
    ).toEqual([
      [2, 'retrying'],
      [0, 'completed'],
    ]);
    expect(attempts[0]?.attributes['error.type']).toBe('http_status_error');
  });

  it('the trace of an execution also contains the spans of its child executions and retries', async () => {
    const child = await calls.workflow([{ id: 'no', type: 'fail', with: { message: 'As wanted.' } }]);
    const parent = await run([{ id: 'sub', type: 'workflow', with: { workflow_id: child } }]);
    const spans = await collector.ended(parent.id);
    const [sub] = named(spans, 'workflow sub').toSorted((a, b) => a.start - b.start);
    const { body: children } = await service.get<{ data: Traced[] }>(`/v1/workflows/${child}/executions`);
    const started = children.data[0];
    expect(started?.trace_id).toBe(parent.trace_id);
    const below = await collector.ended(started?.id ?? '');
    expect(treeFaults(below, sub?.spanId)).toEqual([]);
    expect(named(below, 'execution')[0]).toMatchObject({ status: 2, traceId: parent.trace_id });

    const { body: retried } = await service.post<Traced>(`/v1/executions/${parent.id}/retry`, {});
    expect(retried.trace_id).toBe(parent.trace_id);
    const root = named(spans, 'execution')[0];
    expect(treeFaults(await collector.ended(retried.id), root?.spanId)).toEqual([]);
  });

  it('the spans after a wait link to the spans before the wait and to the sender of the signal', async () => {
    const id = await calls.workflow([
      { id: 'ask', type: 'wait', with: { signal: 'paid' } },
      { id: 'end', type: 'set', needs: ['ask'], with: { value: 1 } },
    ]);
    const { id: execution } = await calls.start(id);
    await calls.until(execution, ({ status }) => status === 'waiting');
    await service.post(
      `/v1/executions/${execution}/signals/paid`,
      { payload: 'secret-payload' },
      { headers: CALLER },
    );
    await calls.ended(execution);
    const spans = await collector.ended(execution);
    expect(treeFaults(spans)).toEqual([]);
    const [root] = named(spans, 'execution');
    const [resumed] = named(spans, 'execution resumed');
    expect(root?.attributes['workflow_service.outcome']).toBe('waiting');
    expect(resumed).toMatchObject({
      parentSpanId: root?.spanId,
      links: [{ traceId: root?.traceId, spanId: root?.spanId }],
    });
    const asks = named(spans, 'wait ask').toSorted((a, b) => a.start - b.start);
    expect(asks[1]?.links).toEqual([
      { traceId: asks[0]?.traceId, spanId: asks[0]?.spanId },
      { traceId: TRACE, spanId: SPAN },
    ]);
    expect(collector.bodies.join('')).not.toContain('secret-payload');
  });

  it('exported spans contain no input value and no error message of an execution', async () => {
    const execution = await run(
      [
        { id: 'a', type: 'set', with: { value: '{{ input }}' } },
        { id: 'b', type: 'fail', needs: ['a'], with: { message: '{{ input }}', details: '{{ input }}' } },
      ],
      {},
      'marked-4711',
    );
    expect(execution.status).toBe('failed');
    await collector.ended(execution.id);
    expect(collector.bodies.join('')).not.toContain('marked-4711');
  });

  it('the service exports spans again after the trace collector rejected them with 503', async () => {
    collector.status = 503;
    const execution = await run([{ id: 'a', type: 'set', with: { value: 1 } }]);
    expect(execution.status).toBe('completed');
    await until('a request that the collector rejected', () => collector.refused > 0);
    collector.status = 200;
    expect(treeFaults(await collector.ended(execution.id))).toEqual([]);
  });
});
