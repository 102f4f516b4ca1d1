import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/expressions/index.js';
import { ExecutionsWorld } from '../support/executions-world.js';
import { databaseKinds } from '../support/database.js';
import { ExecutionCalls, type ExecutionView } from '../support/execution-views.js';
import { FlakyServer, json } from '../support/flaky-server.js';
import { startSecond } from '../support/second-process.js';
import { TestService } from '../support/service.js';

const ENABLED = { config: { cache_enabled: true } };

for (const kind of await databaseKinds())
  describe(`the result cache on ${kind.name}`, () => {
    let world: ExecutionsWorld;
    let service: TestService;
    let server: FlakyServer;
    let calls: ExecutionCalls;

    beforeAll(async () => {
      world = await ExecutionsWorld.on(kind);
      ({ service, server, calls } = world);
    });

    afterAll(() => world?.end());

    const get = (path: string, more: JsonObject = {}): JsonObject => ({
      id: 'get',
      type: 'http',
      with: { url: server.url(path), query: { n: '{{ input.n }}' } },
      cache: { ttl_seconds: 60 },
      ...more,
    });
    const run = (workflow: string, input: JsonObject): Promise<ExecutionView> =>
      calls.start(workflow, { input }, '?wait=60');
    const cachedOf = async (id: string): Promise<readonly unknown[]> => {
      const nodes = await service.get<{ data: readonly { node_id: string; cached: boolean }[] }>(
        `/v1/executions/${id}/nodes`,
      );
      const events = await calls.events(id);
      return [
        nodes.body.data.map(({ cached }) => cached),
        events.filter(({ type }) => type === 'workflow.node.complete').map(({ data }) => data['cached']),
      ];
    };
    const answering = (path: string): string => {
      for (const n of [1, 2]) server.on(`${path}?n=${n}`, (_, response, call) => json(response, { n, call }));
      return path;
    };

    it('a cacheable node sends one HTTP request for equal inputs and another request for a different input', async () => {
      const path = answering('/once');
      const workflow = await calls.workflow([get(path)], ENABLED);
      const first = await run(workflow, { n: 1 });
      const second = await run(workflow, { n: 1 });
      const other = await run(workflow, { n: 2 });
      expect(second.output).toEqual(first.output);
      expect(server.count(`${path}?n=1`)).toBe(1);
      expect(server.count(`${path}?n=2`)).toBe(1);
      expect(await cachedOf(first.id)).toEqual([[false], [false]]);
      expect(await cachedOf(second.id)).toEqual([[true], [true]]);
      expect(await cachedOf(other.id)).toEqual([[false], [false]]);
    });

    it('workflows of one project share cached results, and workflows of different projects do not', async () => {
      const path = answering('/shared');
      const project = await service.newProject();
      await run(await calls.workflow([get(path)], ENABLED), { n: 1 });
      await run(await calls.workflow([get(path, { id: 'other' })], ENABLED), { n: 1 });
      expect(server.count(`${path}?n=1`)).toBe(1);
      await run(await calls.workflow([get(path)], { ...ENABLED, project_id: project.id }), { n: 1 });
      expect(server.count(`${path}?n=1`)).toBe(2);
    });

    it('an `http` node is not cached if its workflow disables the cache or the node has no `cache` setting', async () => {
      const path = answering('/never');
      const { cache: _, ...silent } = get(path);
      for (const workflow of [await calls.workflow([get(path)]), await calls.workflow([silent], ENABLED)])
        for (let turn = 0; turn < 2; turn += 1) await run(workflow, { n: 1 });
      expect(server.count(`${path}?n=1`)).toBe(4);
    });

    it('the result cache does not store a failed HTTP request', async () => {
      server.on('/failing?n=1', (_, response, call) => json(response, {}, call === 1 ? 503 : 200));
      const workflow = await calls.workflow([get('/failing')], ENABLED);
      expect((await run(workflow, { n: 1 })).status).toBe('failed');
      expect((await run(workflow, { n: 1 })).status).toBe('completed');
      expect((await run(workflow, { n: 1 })).status).toBe('completed');
      expect(server.count('/failing?n=1')).toBe(2);
    });

    it('with the result cache, concurrent executions in several processes send one HTTP request for equal inputs', async () => {
      server.on('/slow?n=1', (_, response) => setTimeout(() => json(response, {}), 300));
      const second =
        kind.name === 'postgres'
          ? await startSecond(world.database.settings, { EGRESS_ALLOW: server.address })
          : undefined;
      const workflow = await calls.workflow([get('/slow')], ENABLED);
      const start = async (url: string): Promise<string> => {
        const response = await fetch(`${url}/v1/workflows/${workflow}/executions?wait=60`, {
          method: 'POST',
          headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
          body: JSON.stringify({ input: { n: 1 } }),
        });
        return ((await response.json()) as ExecutionView).status;
      };
      const urls = [service.baseUrl, second?.url ?? service.baseUrl];
      const statuses = await Promise.all([...urls, ...urls, ...urls].map(start));
      expect(new Set(statuses)).toEqual(new Set(['completed']));
      expect(server.count('/slow?n=1')).toBe(1);
      await second?.close();
    });

    it('the result cache stores the output of a `transform` node by default', async () => {
      const program = {
        id: 'p',
        type: 'transform',
        with: { input: '{{ input }}', expression: 'a + $millis()' },
      };
      const workflow = await calls.workflow([program], ENABLED);
      const [first, second] = [await run(workflow, { a: 1, b: 2 }), await run(workflow, { b: 2, a: 1 })];
      expect(second.output).toBe(first.output);
      expect(await cachedOf(second.id)).toEqual([[true], [true]]);
    });
  });
