import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PluginFolder } from '../support/plugin-folder.js';
import { testRedis } from '../support/redis.js';
import { ServiceProcess } from '../support/service-process.js';
import { until } from '../support/until.js';

const server = await testRedis();
const redisUrl = server?.url ?? '';
const stream = `${server?.prefix}:events`;

afterAll(() => server?.close());

describe.runIf(server !== undefined)('the example of an event sink for Redis', () => {
  let folder: string;
  let service: ServiceProcess;
  let redis: Redis;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'workflow-sink-'));
    const example = PluginFolder.copy('examples/plugins/sink-redis-streams', join(folder, 'sink'));
    example.compile();
    redis = new Redis(redisUrl);
    service = new ServiceProcess({ WORKFLOW_PLUGINS: example.path, SINK_REDIS_URL: redisUrl });
    await service.start();
  });
  afterAll(async () => {
    await service?.dispose();
    redis?.disconnect();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  });

  async function call<Body>(method: string, path: string, body?: object): Promise<Body> {
    const response = await fetch(service.url + path, {
      method,
      headers: { authorization: `Bearer ${service.token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return (await response.json()) as Body;
  }

  it('the Redis event sink rejects a webhook URL without a stream name', async () => {
    const { error } = await call<{ error: { details: { field: string } } }>('POST', '/v1/webhooks', {
      url: 'redis-streams:',
    });
    expect(error.details.field).toBe('url');
  });

  it('the Redis event sink appends every event of an execution to the stream in order', async () => {
    await call('POST', '/v1/webhooks', { url: `redis-streams:${stream}` });
    const { id: workflowId } = await call<{ id: string }>('POST', '/v1/workflows', {
      name: 'Streamed',
      nodes: [{ id: 'text', type: 'set', with: { value: 1 } }],
    });
    const { id } = await call<{ id: string }>('POST', `/v1/workflows/${workflowId}/executions?wait=30`, {});
    const { data: events } = await call<{ data: readonly object[] }>('GET', `/v1/executions/${id}/events`);
    const entries = await until('every entry of the stream', async () => {
      const found = await redis.xrange(stream, '-', '+');
      return found.length >= events.length && found;
    });
    const bodies = entries.map(
      ([, fields]) => JSON.parse(fields[fields.indexOf('body') + 1] ?? '') as object,
    );
    expect(bodies).toEqual(events);
  });
});
