import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { JsonObject } from '../../src/expressions/index.js';
import { type Batch, EventBus } from '../../src/journal/index.js';
import { type Clock, CLOCK } from '../../src/platform/index.js';
import { Writer } from '../../src/storage/index.js';
import { databaseKinds, type TestDatabase } from '../support/database.js';
import { ExecutionCalls, type ExecutionView } from '../support/execution-views.js';
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
      // The service ends a batch of events after at most 10 ms of processing. The fixed clock disables this
      // limit, so the workflow alone determines the batches.
      const clock = service.app.get<Clock>(CLOCK, { strict: false });
      vi.spyOn(clock, 'now').mockReturnValue(Date.now());
      service.app.get(EventBus, { strict: false }).subscribe((batch) => batches.push(batch));
    });

    beforeEach(() => (batches = []));

    afterAll(async () => {
      vi.restoreAllMocks();
      await service?.stop();
      await server?.stop();
      await database?.drop();
    });

    /**
     * Waits until all events of an execution are published, because the service may respond earlier.
     * @returns the batches of the execution
     */
    const published = async ({ id, last_sequence }: ExecutionView): Promise<readonly Batch[]> => {
      const own = (): readonly Batch[] => batches.filter(({ executionId }) => executionId === id);
      await expect.poll(() => own().flatMap(({ events }) => events).length).toBe(last_sequence);
      return own();
    };

    const chain = (length: number): readonly JsonObject[] =>
      Array.from({ length }, (_, index) => ({
        id: `n${index}`,
        type: 'set',
        with: { value: index === 0 ? '{{ input.n }}' : `{{ nodes.n${index - 1}.output + 1 }}` },
      }));

    it('an execution of three `set` nodes commits all its events in one batch', async () => {
      const workflow = await calls.workflow(chain(3));
      const ended = await calls.start(workflow, { input: { n: 1 } }, '?wait=60');
      expect(ended).toMatchObject({ status: 'completed', output: 3, last_sequence: 9 });
      const [first, ...others] = await published(ended);
      expect(others).toEqual([]);
      expect(first?.firstSequence).toBe(1);
      expect(first?.events.map(({ type }) => type)).toEqual([
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

    it('the response to a start without `wait` has status queued, even if the execution has already completed', async () => {
      const workflow = await calls.workflow(chain(2));
      const { id, status, last_sequence } = await calls.start(workflow, { input: { n: 1 } });
      expect({ status, last_sequence }).toEqual({ status: 'queued', last_sequence: 1 });
      expect((await service.get(`/v1/executions/${id}`)).body).toMatchObject({ status: 'completed' });
    });

    it('an execution of 400 chained nodes commits its events in batches of fewer than 300 events', async () => {
      const workflow = await calls.workflow(chain(400));
      const ended = await calls.start(workflow, { input: { n: 0 } }, '?wait=60');
      expect(ended).toMatchObject({ output: 399 });
      const own = await published(ended);
      expect(own.length).toBeGreaterThan(1);
      for (const { events } of own) expect(events.length).toBeLessThan(300);
    });

    it('an execution of 200 parallel nodes commits all its events in one batch', async () => {
      const workflow = await calls.workflow(
        Array.from({ length: 200 }, (_, index) => ({ id: `n${index}`, type: 'set', with: { value: index } })),
        { config: { max_concurrency: 200 } },
      );
      const ended = await calls.start(workflow, {}, '?wait=60');
      expect(ended).toMatchObject({ status: 'completed', last_sequence: 403 });
      expect((await published(ended)).map(({ events }) => events.length)).toEqual([403]);
    });

    it('an execution commits its previous events before an `http` node sends a request', async () => {
      const durable: (readonly string[])[] = [];
      const workflow = await calls.workflow([
        ...chain(1),
        { id: 'call', type: 'http', needs: ['n0'], with: { url: server.url('/effect') } },
      ]);
      server.on('/effect', async (_, response) => {
        const { body } = await service.get<{ readonly data: readonly ExecutionView[] }>(
          `/v1/workflows/${workflow}/executions`,
        );
        const events = await calls.events(body.data[0]?.id ?? '');
        durable.push(events.map(({ type }) => type));
        json(response, {});
      });
      const ended = await calls.start(workflow, { input: { n: 1 } }, '?wait=60');
      expect(durable).toEqual([
        [
          'workflow.queued',
          'workflow.started',
          'workflow.node.started',
          'workflow.node.complete',
          'workflow.node.started',
        ],
      ]);
      expect(await published(ended)).toHaveLength(2);
    });

    it('a start request whose first commit fails gets 500, stores no execution and frees its slot', async () => {
      const workflow = await calls.workflow(chain(1));
      const writer = service.app.get(Writer, { strict: false });
      const commit = writer.commit.bind(writer);
      (writer as { commit: Writer['commit'] }).commit = () => Promise.reject(new Error('disk full'));
      const refused = await service.post(`/v1/workflows/${workflow}/executions`, { input: { n: 1 } });
      (writer as { commit: Writer['commit'] }).commit = commit;
      expect(refused.status).toBe(500);
      expect(batches).toEqual([]);
      expect((await service.get(`/v1/workflows/${workflow}/executions`)).body).toMatchObject({ data: [] });
      // RUN_CONCURRENCY is 1, so this execution runs only if the rejected start has freed the slot.
      const ended = await calls.start(workflow, { input: { n: 1 } }, '?wait=60');
      expect(await published(ended)).toHaveLength(1);
      expect(batches).toHaveLength(1);
    });
  });
