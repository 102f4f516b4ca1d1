import { createServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { databaseKinds, databaseUrl } from '../support/database.js';
import { ExecutionCalls } from '../support/execution-views.js';
import { ServiceProcess } from '../support/service-process.js';
import { TestService } from '../support/service.js';
import { SocketClient } from '../support/socket-client.js';
import { until } from '../support/until.js';

const TOKEN = 'a-token-of-the-scraper';
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-7/;

const ended: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).toReversed()) await end();
});

async function started(environment: Readonly<Record<string, string>>): Promise<TestService> {
  const service = await TestService.start({ environment });
  ended.push(() => service.stop());
  return service;
}

function scrape(url: string, token: string | null = TOKEN): Promise<Response> {
  return fetch(`${url}/metrics`, token === null ? {} : { headers: { authorization: `Bearer ${token}` } });
}

/** The value of a metric, or undefined if `text` lacks the metric. `name` includes the labels but not the prefix. */
function sample(text: string, name: string): number | undefined {
  const line = text.split('\n').find((one) => one.startsWith(`workflow_service_${name} `));
  return line === undefined ? undefined : Number(line.slice(line.lastIndexOf(' ')));
}

function freePort(): Promise<string> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { readonly port: number };
      server.close(() => resolve(String(port)));
    });
  });
}

describe('GET /metrics', () => {
  it('GET /metrics counts executions, node attempts, commits and HTTP requests', async () => {
    const service = await started({ METRICS_TOKEN: TOKEN });
    const calls = new ExecutionCalls(service);
    await calls.run([{ id: 'a', type: 'set', with: { value: 1 } }]);
    await calls.run([{ id: 'a', type: 'fail', with: { message: 'as wanted' } }]);
    const answer = await scrape(service.baseUrl);
    const text = await answer.text();
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      expect.stringContaining('text/plain') as string,
    ]);
    expect({
      started: sample(text, 'executions_started_total{trigger="api"}'),
      completed: sample(text, 'executions_ended_total{status="completed"}'),
      failed: sample(text, 'executions_ended_total{status="failed"}'),
      sets: sample(text, 'node_attempts_total{type="set",outcome="completed"}'),
      fails: sample(text, 'node_attempts_total{type="fail",outcome="failed"}'),
      ends: sample(text, 'start_to_end_seconds_count'),
      active: sample(text, 'executions_active'),
      queued: sample(text, 'executions_queued'),
      oldest: sample(text, 'queue_oldest_seconds'),
    }).toEqual({
      started: 2,
      completed: 1,
      failed: 1,
      sets: 1,
      fails: 1,
      ends: 2,
      active: 0,
      queued: 0,
      oldest: 0,
    });
    expect(sample(text, 'commit_duration_seconds_count')).toBeGreaterThan(2);
    expect(sample(text, 'commit_units_sum')).toBeGreaterThan(2);
    expect(text).toContain(
      'workflow_service_http_request_duration_seconds_count{method="POST",route="/v1/workflows",status="201"} 2',
    );
    expect(text).toContain('process_cpu_seconds_total');
  });

  it('no metric label contains an id, even after requests to paths with ids', async () => {
    const service = await started({ METRICS_TOKEN: TOKEN });
    const calls = new ExecutionCalls(service);
    const { id } = await calls.run([{ id: 'a', type: 'set', with: { value: 1 } }]);
    for (const path of [`/v1/executions/${id}`, `/v1/${id}`, `/${id}`]) await service.get(path);
    const text = await (await scrape(service.baseUrl)).text();
    expect(text).toContain('route="/v1/executions/:id"');
    expect(text).not.toMatch(UUID);
  });

  it('the attempt metrics do not count a node whose result a retry reuses', async () => {
    const service = await started({ METRICS_TOKEN: TOKEN });
    const calls = new ExecutionCalls(service);
    const { id } = await calls.run([
      { id: 'a', type: 'set', with: { value: 1 } },
      { id: 'b', type: 'fail', with: { message: 'After {{ nodes.a.output }}' } },
    ]);
    const retry = await service.post(`/v1/executions/${id}/retry`, {});
    await calls.ended(retry.body.id);
    const text = await (await scrape(service.baseUrl)).text();
    expect(sample(text, 'node_attempts_total{type="set",outcome="completed"}')).toBe(1);
    expect(sample(text, 'node_attempts_total{type="fail",outcome="failed"}')).toBe(2);
    expect(sample(text, 'executions_started_total{trigger="retry"}')).toBe(1);
  });

  it('the metrics count open WebSockets and the events sent to WebSockets', async () => {
    const service = await started({ METRICS_TOKEN: TOKEN });
    const client = await SocketClient.authenticated(new URL(service.baseUrl).host, service.key);
    ended.push(() => SocketClient.cutAll());
    await new ExecutionCalls(service).run([{ id: 'a', type: 'set', with: { value: 1 } }]);
    await until('the end of the execution', () =>
      client.received.some(({ type }) => type === 'workflow.completed'),
    );
    const text = await (await scrape(service.baseUrl)).text();
    expect(sample(text, 'sockets_open{transport="websocket"}')).toBe(1);
    expect(sample(text, 'events_delivered_total{transport="websocket"}')).toBeGreaterThan(3);
    expect(sample(text, 'slow_readers_closed_total')).toBe(0);
    SocketClient.cutAll();
    await until('the end of the socket', async () => {
      const after = await (await scrape(service.baseUrl)).text();
      return sample(after, 'sockets_open{transport="websocket"}') === 0;
    });
  });

  it('GET /metrics responds 401 to a wrong token and to a request without a token', async () => {
    const service = await started({ METRICS_TOKEN: TOKEN });
    for (const token of [null, 'another-token-of-a-scraper', service.key])
      expect((await scrape(service.baseUrl, token)).status).toBe(401);
  });

  it('GET /metrics responds 404 if METRICS_TOKEN is not set', async () => {
    const service = await started({});
    expect((await scrape(service.baseUrl, service.key)).status).toBe(404);
  });

  it('the port METRICS_PORT serves only the metrics, and needs no token', async () => {
    const port = await freePort();
    const service = await started({ METRICS_PORT: port });
    const open = `http://127.0.0.1:${port}`;
    expect((await scrape(open, null)).status).toBe(200);
    expect((await fetch(`${open}/v1/workflows`)).status).toBe(404);
    expect((await scrape(service.baseUrl, null)).status).toBe(404);
  });
});

const postgres = (await databaseKinds()).find(({ name }) => name === 'postgres');

it.runIf(postgres !== undefined)(
  'the metrics of a worker, not of the API process, count the executions that end in the worker',
  async () => {
    const database = await postgres?.create();
    if (database === undefined) return;
    ended.push(() => database.drop());
    const environment = { DATABASE_URL: databaseUrl(database.settings), METRICS_TOKEN: TOKEN };
    const api = new ServiceProcess({ ...environment, ROLE: 'api' });
    ended.push(() => api.dispose());
    await api.start();
    const worker = new ServiceProcess({ ...environment, ROLE: 'worker' }, api.token);
    ended.push(() => worker.dispose());
    await worker.start();
    const { id } = await api.call<{ id: string }>('POST', '/v1/workflows', {
      name: 'counted',
      nodes: [{ id: 'a', type: 'set', with: { value: 1 } }],
    });
    await api.call('POST', `/v1/workflows/${id}/execute?wait=60`, {});
    const [ofApi, ofWorker] = await Promise.all(
      [api, worker].map(async ({ url }) => (await scrape(url)).text()),
    );
    expect(sample(ofApi ?? '', 'executions_started_total{trigger="api"}')).toBe(1);
    expect(sample(ofApi ?? '', 'executions_ended_total{status="completed"}')).toBeUndefined();
    expect(sample(ofWorker ?? '', 'executions_ended_total{status="completed"}')).toBe(1);
    expect(sample(ofWorker ?? '', 'sockets_open{transport="websocket"}')).toBeUndefined();
  },
);
