import { setTimeout as pause } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../src/expressions/index.js';
import { Admission } from '../../src/execution-start/admission.js';
import { databaseKinds, databaseUrl, type TestDatabase } from '../support/database.js';
import { ExecutionCalls, type ExecutionView } from '../support/execution-views.js';
import { startSecond } from '../support/second-process.js';
import { ServiceProcess } from '../support/service-process.js';
import { TestService } from '../support/service.js';
import { Turnstile } from '../support/turnstile.js';
import { until } from '../support/until.js';

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

let turnstile: Turnstile;
beforeAll(async () => {
  turnstile = await Turnstile.open();
});
afterAll(() => turnstile.stop());

describe.each(await databaseKinds())('admission of executions on $name', ({ create }) => {
  let database: TestDatabase;
  let service: TestService;
  let calls: ExecutionCalls;

  beforeAll(async () => {
    database = await create();
    service = await TestService.start({
      database: database.settings,
      environment: { EGRESS_ALLOW: turnstile.server.address },
    });
    calls = new ExecutionCalls(service);
  });
  afterAll(async () => {
    await service?.stop();
    await database?.drop();
  });
  afterEach(() => turnstile.reset());

  const workflow = (max_running: number | null, nodes: readonly JsonObject[] = [turnstile.node()]) =>
    calls.workflow(nodes, { config: { max_running } });
  const session = async (concurrency = 'serial'): Promise<string> =>
    (await service.post('/v1/sessions', { concurrency })).body.id;
  const start = (id: string, input: Json, more: JsonObject = {}): Promise<ExecutionView> =>
    calls.start(id, { input, ...more });
  const allEnded = (executions: readonly ExecutionView[]): Promise<readonly ExecutionView[]> =>
    Promise.all(executions.map(({ id }) => calls.ended(id)));
  /** Immediately runs the periodic sweep that starts queued executions. */
  const sweep = (): void => service.app.get<Admission, { poll(): void }>(Admission, { strict: false }).poll();
  const places = async (): Promise<number> => {
    const writer = service.app.get<Admission, { places: { waitedFor(now: string): Promise<unknown> } }>(
      Admission,
      { strict: false },
    );
    const waited = (await writer.places.waitedFor(new Date().toISOString())) as Record<string, unknown[]>;
    return Object.values(waited).flat().length;
  };

  describe('with max_running', () => {
    it('at most max_running executions of a workflow run at the same time, and all of them complete', async () => {
      const id = await workflow(3);
      turnstile.hold();
      const all = await Promise.all(numbers(15).map((n) => start(id, String(n))));
      await until('calls of three executions', () => turnstile.entered.length === 3);
      turnstile.release();
      for (const execution of await allEnded(all)) expect(execution.status).toBe('completed');
      expect(turnstile.most).toBe(3);
      expect(turnstile.entered).toHaveLength(15);
      expect(await places()).toBe(0);
    });

    it('the table execution_admissions is empty after all executions have ended', async () => {
      const id = await workflow(1, [{ id: 'a', type: 'set', with: { value: '{{ input }}' } }]);
      const session_id = await session();
      const all = await Promise.all(numbers(6).map((n) => start(id, n, { session_id })));
      expect((await allEnded(all)).map(({ output }) => output)).toEqual(numbers(6));
      const data = service.app.get(DataSource, { strict: false });
      expect(await data.query('SELECT * FROM execution_admissions')).toEqual([]);
    });

    it('executions that wait for a max_running slot start by priority, and with equal priority in the order of their creation', async () => {
      const id = await workflow(1);
      turnstile.hold();
      const all = [await start(id, 'first')];
      await until('the call of the first execution', () => turnstile.entered.length === 1);
      for (const [input, priority] of [
        ['low', 1],
        ['b', 5],
        ['c', 5],
        ['high', 9],
      ] as const)
        all.push(await start(id, input, { priority }));
      const [first, ...parked] = all;
      expect(first).toMatchObject({ status_reason: null });
      for (const execution of parked)
        expect(await calls.read(execution.id)).toMatchObject({
          status: 'queued',
          status_reason: 'max_running',
          started_at: null,
        });
      turnstile.release();
      await allEnded(all);
      expect(turnstile.entered).toEqual(['first', 'high', 'b', 'c', 'low']);
      expect(turnstile.most).toBe(1);
    });

    it('a suspended execution keeps its max_running slot until the execution is cancelled', async () => {
      const id = await workflow(1, [{ id: 'nap', type: 'delay', with: { seconds: 600 } }]);
      const holder = await start(id, null);
      await calls.until(holder.id, ({ status }) => status === 'waiting');
      const [second, third] = [await start(id, null), await start(id, null)];
      await service.post(`/v1/executions/${second.id}/cancel`);
      expect((await calls.read(third.id)).status_reason).toBe('max_running');
      await service.post(`/v1/executions/${holder.id}/cancel`);
      await calls.until(third.id, ({ status }) => status === 'waiting');
      expect(await calls.read(second.id)).toMatchObject({ status: 'cancelled', started_at: null });
      await service.post(`/v1/executions/${third.id}/cancel`);
      expect(await places()).toBe(0);
    });

    it('a signal does not start an execution that waits for a max_running slot', async () => {
      const id = await workflow(1);
      turnstile.hold();
      const holder = await start(id, 'holder');
      await until('the call of the execution that holds the slot', () => turnstile.entered.length === 1);
      const parked = await start(id, 'parked');
      expect((await service.post(`/v1/executions/${parked.id}/signals/go`)).status).toBeLessThan(300);
      await pause(300);
      expect(turnstile.entered).toEqual(['holder']);
      turnstile.release();
      expect((await calls.ended(parked.id)).status).toBe('completed');
      expect(turnstile.most).toBe(1);
      await calls.ended(holder.id);
    });

    it('queued executions start when max_running of their workflow is raised or removed', async () => {
      const id = await workflow(1);
      turnstile.hold();
      const all = await Promise.all(numbers(6).map((n) => start(id, String(n))));
      await until('the call of the first execution', () => turnstile.entered.length === 1);
      await service.patch(`/v1/workflows/${id}`, { config: { max_running: 3 } });
      sweep();
      await until('the calls of two more executions', () => turnstile.entered.length === 3);
      await service.patch(`/v1/workflows/${id}`, { config: { max_running: null } });
      sweep();
      await until('the calls of the remaining executions', () => turnstile.entered.length === 6);
      turnstile.release();
      await allEnded(all);
    });

    it('a scheduled execution takes no max_running slot before its scheduled time', async () => {
      const id = await workflow(1);
      const due = Date.now() + 1_500;
      const later = await start(id, 'later', { scheduled_for: new Date(due).toISOString() });
      const soon = await start(id, 'soon');
      expect((await calls.ended(soon.id)).status).toBe('completed');
      expect((await calls.read(later.id)).status).toBe('queued');
      const ended = await calls.ended(later.id);
      expect(Date.parse(ended.started_at ?? '')).toBeGreaterThanOrEqual(due);
      expect(turnstile.entered).toEqual(['soon', 'later']);
    });
  });

  describe('in a serial session', () => {
    it('executions of a serial session run one at a time in start order, regardless of workflow and priority', async () => {
      const session_id = await session();
      const ids = [await workflow(null), await workflow(2)];
      const all: ExecutionView[] = [];
      for (const n of numbers(12))
        all.push(await start(ids[n % 2] ?? '', String(n), { session_id, priority: n % 10 }));
      await allEnded(all);
      expect(turnstile.entered).toEqual(numbers(12).map(String));
      expect(turnstile.most).toBe(1);
    });

    it('an execution that waits in a serial session starts even if the previous execution fails', async () => {
      const session_id = await session();
      turnstile.hold();
      const first = await start(await workflow(null), 'first', { session_id });
      await until('the call of the first execution', () => turnstile.entered.length === 1);
      const failing = await start(
        await workflow(null, [{ id: 'a', type: 'fail', with: { message: 'no' } }]),
        'x',
        { session_id },
      );
      const last = await start(await workflow(null), 'last', { session_id });
      expect(failing).toMatchObject({ status: 'queued', status_reason: 'serial_session' });
      turnstile.release();
      expect((await allEnded([first, failing, last])).map(({ status }) => status)).toEqual([
        'completed',
        'failed',
        'completed',
      ]);
    });

    it('an execution of a serial session waits neither for other sessions nor for executions scheduled for later', async () => {
      const id = await workflow(null);
      turnstile.hold();
      const [one, two] = [await session(), await session()];
      const later = await start(id, 'later', {
        session_id: one,
        scheduled_for: new Date(Date.now() + 3_600_000).toISOString(),
      });
      const all = [await start(id, 'a', { session_id: one }), await start(id, 'b', { session_id: two })];
      await until('the calls of both executions', () => turnstile.entered.length === 2);
      turnstile.release();
      await allEnded(all);
      await service.post(`/v1/executions/${later.id}/cancel`);
    });

    it('executions of a parallel session do not wait for each other', async () => {
      const [id, session_id] = [await workflow(null), await session('parallel')];
      turnstile.hold();
      const all = [await start(id, 'a', { session_id }), await start(id, 'b', { session_id })];
      await until('the calls of both executions', () => turnstile.entered.length === 2);
      turnstile.release();
      await allEnded(all);
    });

    it('an execution that waits for its turn in a serial session takes no max_running slot of its workflow', async () => {
      const [capped, free, session_id] = [await workflow(1), await workflow(null), await session()];
      turnstile.hold();
      const holder = await start(free, 'holder', { session_id });
      await until('the call of the execution that holds the slot', () => turnstile.entered.length === 1);
      const behind = await start(capped, 'behind', { session_id, priority: 9 });
      const other = await start(capped, 'other');
      await until('the call of the other execution', () => turnstile.entered.includes('other'));
      turnstile.release();
      await allEnded([holder, behind, other]);
      expect(turnstile.entered).toEqual(['holder', 'other', 'behind']);
    });
  });

  it('the periodic sweep starts a queued execution if the notification of a free slot was lost', async () => {
    const id = await workflow(1);
    turnstile.hold();
    const holder = await start(id, 'holder');
    await until('the call of the execution that holds the slot', () => turnstile.entered.length === 1);
    const parked = await start(id, 'parked');
    const admission = service.app.get<Admission, { inTurn: unknown }>(Admission, { strict: false });
    const { inTurn } = admission;
    admission.inTurn = () => undefined;
    turnstile.release();
    await calls.ended(holder.id);
    await pause(100);
    expect((await calls.read(parked.id)).status).toBe('queued');
    admission.inTurn = inTurn;
    sweep();
    expect((await calls.ended(parked.id)).status).toBe('completed');
  });
});

const shared = (await databaseKinds()).filter(({ name }) => name === 'postgres');

describe.each(shared)('admission by two processes on $name', ({ create }) => {
  let database: TestDatabase;
  let service: TestService;
  let calls: ExecutionCalls;
  let second: Awaited<ReturnType<typeof startSecond>>;

  beforeAll(async () => {
    database = await create();
    service = await TestService.start({
      database: database.settings,
      environment: { EGRESS_ALLOW: turnstile.server.address },
    });
    calls = new ExecutionCalls(service);
    second = await startSecond(database.settings, { EGRESS_ALLOW: turnstile.server.address });
  });
  afterAll(async () => {
    await second?.close();
    await service?.stop();
    await database?.drop();
  });
  afterEach(() => turnstile.reset());

  const workflow = (max_running: number | null): Promise<string> =>
    calls.workflow([turnstile.node()], { config: { max_running } });
  const session = async (): Promise<string> =>
    (await service.post('/v1/sessions', { concurrency: 'serial' })).body.id;
  const allEnded = (executions: readonly ExecutionView[]): Promise<readonly ExecutionView[]> =>
    Promise.all(executions.map(({ id }) => calls.ended(id)));

  const startAt = async (n: number, id: string, body: JsonObject): Promise<ExecutionView> => {
    const url = n % 2 === 0 ? service.baseUrl : second.url;
    const response = await fetch(`${url}/v1/workflows/${id}/executions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(201);
    return (await response.json()) as ExecutionView;
  };

  it('two processes together never run more than max_running executions of a workflow', async () => {
    const id = await workflow(4);
    const all = await Promise.all(numbers(30).map((n) => startAt(n, id, { input: String(n) })));
    for (const execution of await allEnded(all)) expect(execution.status).toBe('completed');
    expect(turnstile.most).toBeLessThanOrEqual(4);
    expect(turnstile.most).toBeGreaterThan(1);
    expect(new Set(turnstile.entered).size).toBe(30);
  });

  it('executions of a serial session keep their start order across two processes', async () => {
    const [id, session_id] = [await workflow(null), await session()];
    const all: ExecutionView[] = [];
    for (const n of numbers(16)) all.push(await startAt(n, id, { input: String(n), session_id }));
    await allEnded(all);
    expect(turnstile.entered).toEqual(numbers(16).map(String));
    expect(turnstile.most).toBe(1);
  });

  it('20 executions that two processes start in one serial session run one at a time, and each runs once', async () => {
    const [id, session_id] = [await workflow(2), await session()];
    const all = await Promise.all(numbers(20).map((n) => startAt(n, id, { input: String(n), session_id })));
    await allEnded(all);
    expect(turnstile.most).toBe(1);
    expect(new Set(turnstile.entered).size).toBe(20);
  });
});

describe.each(await databaseKinds())('admission after process crashes, on $name', (kind) => {
  it('max_running and the order of a serial session still apply after the service is killed and restarted', async () => {
    turnstile.reset();
    const database = await kind.create();
    const service = new ServiceProcess({
      EGRESS_ALLOW: turnstile.server.address,
      DATABASE_URL: databaseUrl(database.settings),
    });
    try {
      await service.start();
      const make = async (max_running: number | null): Promise<string> =>
        (
          await service.call<{ id: string }>('POST', '/v1/workflows', {
            name: 'line',
            nodes: [turnstile.node()],
            config: { max_running },
          })
        ).id;
      const [capped, free] = [await make(2), await make(null)];
      const session = await service.call<{ id: string }>('POST', '/v1/sessions', { concurrency: 'serial' });
      const started: string[] = [];
      const start = async (id: string, body: JsonObject): Promise<void> => {
        started.push((await service.call<ExecutionView>('POST', `/v1/workflows/${id}/executions`, body)).id);
      };
      for (const n of numbers(8)) {
        await start(capped, { input: `capped ${n}` });
        await start(free, { input: `serial ${n}`, session_id: session.id });
      }
      for (let deaths = 0; deaths < 3; deaths += 1) {
        const before = turnstile.entered.length;
        // On a slow machine, all 16 executions may already have called the server. The test then does not
        // wait for another call.
        const allCame = (): boolean => new Set(turnstile.entered).size === 16;
        await until('calls of further executions', () => turnstile.entered.length > before + 1 || allCame());
        await service.kill();
        await service.start();
      }
      for (const id of started)
        await until(`the end of ${id}`, async () => {
          const { status } = await service.call<ExecutionView>('GET', `/v1/executions/${id}`);
          return status === 'completed';
        });
      const serial = turnstile.entered.filter((entered) => entered.startsWith('serial'));
      expect([...new Set(serial)]).toEqual(numbers(8).map((n) => `serial ${n}`));
      // At most three executions run at the same time: two of the limited workflow, and one of the serial session.
      expect(turnstile.most).toBeLessThanOrEqual(3);
      expect(new Set(turnstile.entered).size).toBe(16);
    } finally {
      await service.dispose();
      await database.drop();
    }
  });
});
