import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { databaseKinds, databaseUrl, type TestDatabase } from '../support/database.js';
import { PersistentClient } from '../support/persistent-client.js';
import { ServiceProcess } from '../support/service-process.js';
import { until } from '../support/until.js';

/** Number of restarts. `RESTARTS=20 npm test -- test/e2e/rolling-restarts.spec.ts` runs a longer test. */
const RESTARTS = Number(process.env['RESTARTS'] ?? 3);
const BETWEEN_MS = 700;
const CLIENTS = 12;
const GRACE_SECONDS = 5;
const kinds = await databaseKinds();

interface ExecutionView {
  readonly id: string;
  readonly status: string;
}

interface EventView {
  readonly type: string;
  readonly data: { readonly cause?: string };
}

let service: ServiceProcess | undefined;
let database: TestDatabase | undefined;
afterEach(async () => {
  await service?.dispose();
  await database?.drop();
});

async function start(kind: (typeof kinds)[number]): Promise<ServiceProcess> {
  database = await kind.create();
  service = new ServiceProcess({
    DATABASE_URL: databaseUrl(database.settings),
    SHUTDOWN_GRACE_SECONDS: String(GRACE_SECONDS),
  });
  await service.start();
  return service;
}

async function workflowOf(running: ServiceProcess, nodes: readonly unknown[]): Promise<string> {
  const { id } = await running.call<ExecutionView>('POST', '/v1/workflows', { name: 'load', nodes });
  return `/v1/workflows/${id}/executions`;
}

/** A loop of short delays, which causes many commits. */
const BUSY = [
  {
    id: 'each',
    type: 'foreach',
    with: {
      items: '{{ input }}',
      max_concurrency: 4,
      nodes: [{ id: 'nap', type: 'delay', with: { seconds: 0.02 } }],
    },
  },
];
const ITEMS = Array.from({ length: 20 }, (_, index) => index);

describe.each(kinds)('rolling restarts under load on $name', (kind) => {
  it(
    'a client that retries closed connections loses no request during rolling restarts',
    { timeout: 600_000 },
    async () => {
      const running = await start(kind);
      const port = new URL(running.url).port;
      const [quick, busy] = [
        await workflowOf(running, [{ id: 'a', type: 'set', with: { value: 1 } }]),
        await workflowOf(running, BUSY),
      ];
      const faults: string[] = [];
      const started: string[] = [];
      let stopped = false;
      const clients = Array.from({ length: CLIENTS }, async (_, n) => {
        const client = new PersistentClient(running.url, running.token, { keepAlive: n % 2 === 0 });
        const path = n % 3 === 0 ? busy : n % 3 === 1 ? quick : `${busy}?wait=60`;
        while (!stopped)
          try {
            const { status, body } = await client.call('POST', path, { input: ITEMS });
            if (status === 201) started.push((JSON.parse(body) as ExecutionView).id);
            else faults.push(`${status} ${body}`);
          } catch (error) {
            faults.push(`client ${n}: ${String(error)}`);
          }
        client.close();
      });
      for (let restarts = 0; restarts < RESTARTS; restarts += 1) {
        await pause(BETWEEN_MS);
        const at = performance.now();
        expect(await running.terminate(), running.log).toBe(0);
        expect(performance.now() - at).toBeLessThan((GRACE_SECONDS + 10) * 1_000);
        await running.start(port);
      }
      stopped = true;
      await Promise.all(clients);
      expect(faults).toEqual([]);
      expect(new Set(started).size).toBe(started.length);
      process.stdout.write(`${started.length} executions through ${RESTARTS} restarts on ${kind.name}\n`);
      for (const id of started) {
        const { status } = await until(`the end of ${id}`, async () => {
          const execution = await running.call<ExecutionView>('GET', `/v1/executions/${id}`);
          return ['completed', 'failed', 'timed_out'].includes(execution.status) && execution;
        });
        expect(status).toBe('completed');
      }
      const { data } = await running.call<{ readonly data: readonly EventView[] }>(
        'GET',
        '/v1/events?types=workflow.recovered',
      );
      expect(data.filter((event) => event.data.cause === 'crash')).toEqual([]);
    },
  );
});

describe('a service on SIGTERM', () => {
  it('on SIGTERM, the service ends an open start request with `wait` by returning the unfinished execution', async () => {
    const running = await start(kinds[0] as (typeof kinds)[number]);
    const path = await workflowOf(running, [{ id: 'nap', type: 'delay', with: { seconds: 30 } }]);
    const client = new PersistentClient(running.url, running.token, { keepAlive: true });
    const held = client.call('POST', `${path}?wait=50`, {});
    await until('the execution', async () => {
      const { data } = await running.call<{ readonly data: readonly unknown[] }>('GET', '/v1/executions');
      return data.length > 0;
    });
    const code = running.terminate();
    const { status, connection, body } = await held;
    expect({ status, connection }).toEqual({ status: 201, connection: 'close' });
    expect(['queued', 'running', 'waiting']).toContain((JSON.parse(body) as ExecutionView).status);
    expect(await code).toBe(0);
    expect(running.log).not.toMatch(/internal_error|"level":"error"/);
    client.close();
  });
});
