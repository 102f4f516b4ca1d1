import { setTimeout as pause } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/expressions/index.js';
import { Writer } from '../../src/storage/index.js';
import { databaseKinds, type TestDatabase } from '../support/database.js';
import { ExecutionCalls, type ExecutionView } from '../support/execution-views.js';
import { TestService } from '../support/service.js';
import { Turnstile } from '../support/turnstile.js';

const UNKNOWN_ID = '0199a8c0-0000-7000-8000-000000000000';

describe.each(await databaseKinds())('GET /v1/executions/{id}/explain on $name', ({ create }) => {
  let turnstile: Turnstile;
  let database: TestDatabase;
  let service: TestService;
  let calls: ExecutionCalls;

  beforeAll(async () => {
    turnstile = await Turnstile.open();
    database = await create();
    service = await TestService.start({
      database: database.settings,
      environment: { EGRESS_ALLOW: turnstile.server.address, RUN_CONCURRENCY: '2' },
    });
    calls = new ExecutionCalls(service);
  });
  afterAll(async () => {
    await service?.stop();
    await turnstile?.stop();
    await database?.drop();
  });
  afterEach(() => turnstile.reset());

  const explain = async ({ id }: { readonly id: string }): Promise<JsonObject> => {
    const { status, body } = await service.get<JsonObject>(`/v1/executions/${id}/explain`);
    expect(status).toBe(200);
    return body;
  };
  const explained = async (execution: { readonly id: string }, expected: object): Promise<void> => {
    for (let tries = 0; tries < 200; tries += 1) {
      const body = await explain(execution);
      if (body['cause'] === (expected as { readonly cause: string }).cause) {
        expect(body).toMatchObject({ execution_id: execution.id, ...expected });
        return;
      }
      await pause(20);
    }
    expect(await explain(execution)).toMatchObject(expected);
  };
  const cancel = (...executions: readonly ExecutionView[]): Promise<unknown> =>
    Promise.all(executions.map(({ id }) => service.post(`/v1/executions/${id}/cancel`)));
  const turn = (config: JsonObject = {}, nodes: readonly JsonObject[] = [turnstile.node()]) =>
    calls.workflow(nodes, { config });
  const inside = async (count: number): Promise<void> => {
    while (turnstile.entered.length < count) await pause(10);
  };

  it('the explain endpoint names the running nodes of an execution and the process that runs the nodes', async () => {
    turnstile.hold();
    const execution = await calls.start(await turn(), { input: 'x' });
    await explained(execution, {
      status: 'running',
      cause: 'node_running',
      holder: { type: 'process', pid: process.pid },
      details: { node_ids: ['turn'] },
      nodes: [{ node_id: 'turn', status: 'running', attempt: 1, waiting_for: null }],
    });
    turnstile.release();
    await calls.ended(execution.id);
    await explained(execution, { cause: 'ended', holder: null, frees: null, nodes: [] });
  });

  it('the explain endpoint names the nodes of an execution that wait because of `max_concurrency`', async () => {
    turnstile.hold();
    const execution = await calls.start(
      await turn({ max_concurrency: 1 }, [turnstile.node('one'), turnstile.node('two')]),
      { input: 'x' },
    );
    await explained(execution, {
      cause: 'max_concurrency',
      nodes: [{ node_id: 'one' }, { node_id: 'two', status: 'ready' }],
    });
    turnstile.release();
    await calls.ended(execution.id);
  });

  it('the explain endpoint names the executions for which a queued execution waits', async () => {
    turnstile.hold();
    const workflow = await turn({ max_running: 1 });
    const { id: session_id } = (await service.post('/v1/sessions', { concurrency: 'serial' })).body;
    const holder = await calls.start(workflow, { input: 'x', session_id });
    await inside(1);
    const capped = await calls.start(workflow, { input: 'y' });
    const behind = await calls.start(await turn(), { input: 'z', session_id });
    await explained(capped, {
      status: 'queued',
      cause: 'max_running',
      holder: { type: 'execution', id: holder.id },
      details: { max_running: 1, holders: [holder.id] },
    });
    await explained(behind, {
      cause: 'serial_session',
      holder: { type: 'execution', id: holder.id },
      details: { session_id, behind: [holder.id] },
    });
    turnstile.release();
    await Promise.all([holder, capped, behind].map(({ id }) => calls.ended(id)));
  });

  it('the explain endpoint reports a deadlock between workflows that start each other', async () => {
    const wait = { id: 'wait', type: 'wait', with: { signal: 'go' } };
    const starting = (workflow_id: string): readonly JsonObject[] => [
      wait,
      { id: 'child', type: 'workflow', needs: ['wait'], with: { workflow_id } },
    ];
    const one = await turn({ max_running: 1 }, [wait]);
    const other = await turn({ max_running: 1 }, starting(one));
    await service.patch(`/v1/workflows/${one}`, { nodes: starting(other) });
    const [first, second] = [await calls.start(one), await calls.start(other)];
    for (const { id } of [first, second]) await service.post(`/v1/executions/${id}/signals/go`, {});
    await explained(first, { cause: 'child' });
    await explained(second, { cause: 'child' });
    const childOf = async (execution: ExecutionView): Promise<string> =>
      String(((await explain(execution))['holder'] as JsonObject)['id']);
    const [below, belowOther] = [await childOf(first), await childOf(second)];
    const circle = [first.id, below, second.id, belowOther];
    await explained(first, {
      cause: 'child',
      message: expect.stringContaining('wait for each other'),
      frees: { how: expect.stringContaining('Cancel one of the executions') },
      details: { circle },
    });
    await explained(
      { id: below },
      {
        cause: 'max_running',
        message: expect.stringContaining('wait for each other'),
        details: { max_running: 1, circle: [below, second.id, belowOther, first.id] },
      },
    );
    const queued = await calls.start(one);
    await explained(queued, { cause: 'max_running', details: { circle: [queued.id, ...circle] } });
    await cancel(second);
    await explained({ id: below }, { cause: 'signal' });
    expect((await explain(first))['details']).not.toHaveProperty('circle');
    await cancel(queued, first);
  });

  it('the explain endpoint reports that an execution waits because no process has a free slot or no process is alive', async () => {
    turnstile.hold();
    const workflow = await turn();
    const running = [
      await calls.start(workflow, { input: 'a' }),
      await calls.start(workflow, { input: 'b' }),
    ];
    await inside(2);
    const third = await calls.start(workflow, { input: 'c' });
    await explained(third, { cause: 'no_free_slot', details: { run_concurrency: 2 } });
    // Makes the process look dead by an old `last_seen_at`. The next heartbeat overwrites this time, so the
    // loop repeats the change until it reads the explanation before a heartbeat.
    const silenced = async (execution: { readonly id: string }, cause: string): Promise<JsonObject> => {
      for (let tries = 1; ; tries += 1) {
        await service.app.get(Writer, { strict: false }).commit({
          writes: [{ sql: `UPDATE instances SET last_seen_at = '2020-01-01T00:00:00.000Z'`, parameters: [] }],
        });
        const body = await explain(execution);
        if (body['cause'] === cause || tries === 10) return body;
      }
    };
    expect(await silenced(third, 'no_live_process')).toMatchObject({
      cause: 'no_live_process',
      holder: null,
    });
    expect(await silenced(running[0] ?? third, 'holder_lost')).toMatchObject({
      cause: 'holder_lost',
      holder: { type: 'process', pid: process.pid, last_seen_at: expect.stringMatching(/^20(19|20)-/) },
    });
    turnstile.release();
    await Promise.all([...running, third].map(({ id }) => calls.ended(id)));
  });

  it('the explain endpoint names the timer or the retry for which a suspended execution waits', async () => {
    const napping = await calls.start(
      await calls.workflow([{ id: 'nap', type: 'delay', with: { seconds: 600 } }]),
    );
    await calls.until(napping.id, ({ status }) => status === 'waiting');
    await explained(napping, {
      status: 'waiting',
      cause: 'timer',
      details: { node_id: 'nap' },
      nodes: [{ status: 'waiting', waiting_for: 'timer' }],
    });
    const { frees } = await explain(napping);
    expect(Date.parse(String((frees as JsonObject)['at']))).toBeGreaterThan(Date.now() + 500_000);
    turnstile.server.on('/broken', (_, response) => response.writeHead(503).end());
    const url = turnstile.server.url('/broken');
    const retry = { max_attempts: 2, backoff: 'fixed', initial_delay_ms: 600_000, jitter: false };
    const retrying = await calls.start(
      await calls.workflow([{ id: 'call', type: 'http', with: { url }, retry }]),
    );
    await calls.until(retrying.id, ({ status }) => status === 'waiting');
    await explained(retrying, {
      status: 'waiting',
      cause: 'retry_backoff',
      details: { node_id: 'call', error: { code: 'http_status_error' } },
    });
    await cancel(napping, retrying);
  });

  it('the explain endpoint names the signal, approval or child execution for which an execution waits', async () => {
    const wait = (more: JsonObject = {}): JsonObject => ({
      id: 'asked',
      type: 'wait',
      with: { signal: 'go', ...more },
    });
    const begin = async (node: JsonObject): Promise<ExecutionView> => {
      const execution = await calls.start(await calls.workflow([node]));
      return calls.until(execution.id, ({ status }) => status === 'waiting');
    };
    const signal = await begin(wait());
    await explained(signal, {
      cause: 'signal',
      since: expect.stringMatching(/Z$/),
      holder: null,
      frees: { at: signal.timeout_at },
      details: { node_id: 'asked', signal: 'go' },
    });
    const approval = await begin(wait({ approval: { title: 'Pay it?' }, timeout_seconds: 60 }));
    await explained(approval, { cause: 'approval', details: { title: 'Pay it?' } });
    expect(JSON.stringify(await explain(approval))).not.toContain('/approvals/');
    const parent = await begin({
      id: 'child',
      type: 'workflow',
      with: { workflow_id: signal.workflow_id },
    });
    const { details } = await explain(parent);
    const { child_execution_id } = details as { readonly child_execution_id: string };
    await explained(parent, { cause: 'child', holder: { type: 'execution', id: child_execution_id } });
    await calls.until(child_execution_id, ({ status }) => status === 'waiting');
    expect((await service.post(`/v1/executions/${signal.id}/pause`, { reason: 'Lunch.' })).status).toBe(200);
    await explained(signal, {
      status: 'paused',
      cause: 'paused',
      message: 'The execution was paused: Lunch.',
      frees: { how: 'A request that resumes the execution.' },
    });
    await cancel(signal, approval, parent);
  });

  it('after an internal error, the explain endpoint returns the time of the next attempt to run the execution', async () => {
    const scheduled_for = new Date(Date.now() + 3_600_000).toISOString();
    const execution = await calls.start(await turn(), { scheduled_for });
    const sql = `UPDATE executions SET status_reason = 'service_fault' WHERE id = '${execution.id}'`;
    await service.app.get(Writer, { strict: false }).commit({ writes: [{ sql, parameters: [] }] });
    await explained(execution, { cause: 'service_fault', frees: { at: scheduled_for } });
    await cancel(execution);
  });

  it('the explain endpoint returns the start time of a scheduled execution', async () => {
    const scheduled_for = new Date(Date.now() + 3_600_000).toISOString();
    for (const config of [{}, { max_running: 1 }]) {
      const execution = await calls.start(await turn(config), { scheduled_for });
      await explained(execution, { cause: 'scheduled', frees: { at: scheduled_for } });
      await cancel(execution);
    }
  });

  it('the explain endpoint returns 503 for an execution with events of a newer service version', async () => {
    const { id } = await calls.start(
      await calls.workflow([{ id: 'wait', type: 'wait', with: { signal: 'go' } }]),
    );
    await calls.until(id, ({ status }) => status === 'waiting');
    await service.app.get(DataSource).query(
      `UPDATE journal SET body = replace(body, '["workflow.started",1', '["workflow.started",99')
       WHERE execution_id = '${id}'`,
    );
    for (const answer of [
      await service.get(`/v1/executions/${id}/explain`),
      await service.get(`/v1/executions/${id}/nodes`),
      await service.post(`/v1/executions/${id}/cancel`),
    ])
      expect([answer.status, answer.error.type, answer.headers.get('retry-after')]).toEqual([
        503,
        'unavailable_error',
        '30',
      ]);
    expect((await service.get(`/v1/executions/${id}`)).status).toBe(200);
    expect(await calls.events(id)).toHaveLength((await calls.read(id)).last_sequence);
  });

  it('only callers who can read an execution can call the explain endpoint of the execution', async () => {
    const execution = await calls.start(await turn({}, []));
    const { key } = await service.newStranger();
    expect((await service.get(`/v1/executions/${execution.id}/explain`, { key })).status).toBe(403);
    expect((await service.get(`/v1/executions/${UNKNOWN_ID}/explain`)).status).toBe(404);
  });
});

const postgres = (await databaseKinds()).find(({ name }) => name === 'postgres');

it.runIf(postgres !== undefined)(
  'the explain endpoint returns the cause `no_live_process` if all processes have only the role `api`',
  async () => {
    if (postgres === undefined) return;
    const database = await postgres.create();
    const service = await TestService.start({ database: database.settings, environment: { ROLE: 'api' } });
    try {
      const calls = new ExecutionCalls(service);
      const { id } = await calls.start(
        await calls.workflow([{ id: 'say', type: 'set', with: { value: 'hi' } }]),
      );
      const { body } = await service.get<JsonObject>(`/v1/executions/${id}/explain`);
      expect(body).toMatchObject({
        status: 'queued',
        cause: 'no_live_process',
        frees: { how: expect.stringContaining('ROLE=worker') },
      });
    } finally {
      await service.stop();
      await database.drop();
    }
  },
);
