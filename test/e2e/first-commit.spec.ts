import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/expressions/index.js';
import { type Batch, EventBus } from '../../src/journal/index.js';
import { CLOCK } from '../../src/platform/index.js';
import { Writer } from '../../src/storage/index.js';
import { databaseKinds, type TestDatabase } from '../support/database.js';
import { ExecutionCalls } from '../support/execution-views.js';
import { FlakyServer, json } from '../support/flaky-server.js';
import { TestService } from '../support/service.js';

for (const kind of await databaseKinds())
  describe(`the first commit of an execution, on ${kind.name}`, () => {
    let database: TestDatabase;
    let service: TestService;
    let server: FlakyServer;
    let calls: ExecutionCalls;
    let batches: Batch[];

    beforeAll(async () => {
      database = await kind.create();
      server = await FlakyServer.start();
      service = await TestService.start({
        database: database.settings,
        environment: { EGRESS_ALLOW: server.address, RUN_CONCURRENCY: '1' },
      });
      calls = new ExecutionCalls(service);
      // A fixed clock: deciding takes no time on any machine, so the plan alone determines what is committed together.
      const clock: { now(): number } = service.app.get(CLOCK, { strict: false });
      const now = Date.now();
      clock.now = () => now;
      service.app.get(EventBus, { strict: false }).subscribe((batch) => batches.push(batch));
    });

    beforeEach(() => (batches = []));

    afterAll(async () => {
      await service?.stop();
      await server?.stop();
      await database?.drop();
    });

    const chain = (length: number): readonly JsonObject[] =>
      Array.from({ length }, (_, index) => ({
        id: `n${index}`,
        type: 'set',
        with: { value: index === 0 ? '{{ input.n }}' : `{{ nodes.n${index - 1}.output + 1 }}` },
      }));

    it('contains an entire execution without effects', async () => {
      const workflow = await calls.workflow(chain(3));
      const ended = await calls.start(workflow, { input: { n: 1 } }, '?wait=20');
      expect(ended).toMatchObject({ status: 'completed', output: 3, last_sequence: 9 });
      expect(batches).toHaveLength(1);
      expect(batches[0]?.firstSequence).toBe(1);
      expect(batches[0]?.events.map(({ type }) => type)).toEqual([
        'workflow.queued',
        'workflow.started',
        'workflow.node.started',
        'workflow.node.complete',
        'workflow.node.started',
        'workflow.node.complete',
        'workflow.node.started',
        'workflow.node.complete',
        'workflow.completed',
      ]);
      expect((await service.get(`/v1/executions/${ended.id}`)).body).toEqual(ended);
    });

    it('a start without wait returns the execution as queued, although it may have completed', async () => {
      const workflow = await calls.workflow(chain(2));
      const { id, status, last_sequence } = await calls.start(workflow, { input: { n: 1 } });
      expect({ status, last_sequence }).toEqual({ status: 'queued', last_sequence: 1 });
      expect((await service.get(`/v1/executions/${id}`)).body).toMatchObject({ status: 'completed' });
    });

    it('a long chain is committed in several batches, so that it does not block other executions', async () => {
      const workflow = await calls.workflow(chain(400));
      expect(await calls.start(workflow, { input: { n: 0 } }, '?wait=20')).toMatchObject({ output: 399 });
      expect(batches.length).toBeGreaterThan(1);
      for (const { events } of batches) expect(events.length).toBeLessThan(300);
    });

    it('contains the results of any number of nodes that ran at once', async () => {
      const workflow = await calls.workflow(
        Array.from({ length: 200 }, (_, index) => ({ id: `n${index}`, type: 'set', with: { value: index } })),
        { config: { max_concurrency: 200 } },
      );
      const ended = await calls.start(workflow, {}, '?wait=20');
      expect(ended).toMatchObject({ status: 'completed', last_sequence: 403 });
      expect(batches.map(({ events }) => events.length)).toEqual([403]);
    });

    it('precedes the first effect', async () => {
      const durable: (readonly string[])[] = [];
      server.on('/effect', (_, response) => {
        durable.push(batches.flatMap(({ events }) => events.map(({ type }) => type)));
        json(response, {});
      });
      const workflow = await calls.workflow([
        ...chain(1),
        { id: 'call', type: 'http', needs: ['n0'], with: { url: server.url('/effect') } },
      ]);
      await calls.start(workflow, { input: { n: 1 } }, '?wait=20');
      expect(durable).toEqual([
        [
          'workflow.queued',
          'workflow.started',
          'workflow.node.started',
          'workflow.node.complete',
          'workflow.node.started',
        ],
      ]);
      expect(batches).toHaveLength(2);
    });

    it('a failed first commit leaves no data and frees its slot', async () => {
      const workflow = await calls.workflow(chain(1));
      const writer = service.app.get(Writer, { strict: false });
      const commit = writer.commit.bind(writer);
      (writer as { commit: Writer['commit'] }).commit = () => Promise.reject(new Error('disk full'));
      const refused = await service.post(`/v1/workflows/${workflow}/executions`, { input: { n: 1 } });
      (writer as { commit: Writer['commit'] }).commit = commit;
      expect(refused.status).toBe(500);
      expect(batches).toEqual([]);
      expect((await service.get(`/v1/workflows/${workflow}/executions`)).body).toMatchObject({ data: [] });
      // RUN_CONCURRENCY is one.
      await calls.start(workflow, { input: { n: 1 } }, '?wait=20');
      expect(batches).toHaveLength(1);
    });
  });
