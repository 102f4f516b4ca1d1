import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds, databaseUrl, type TestDatabase } from '../support/database.js';
import { until } from '../support/until.js';
import { startWholeService, type WholeService } from '../support/whole-service.js';

const DAY = 86_400;
const DAY_MS = DAY * 1_000;

interface Answer {
  readonly status: number;
  // The tests read different fields of many responses, so the type is `any`.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

interface Event {
  readonly type: string;
  readonly created_at: string;
  readonly node_id: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

describe.each(await databaseKinds())('executions that run for a long time, on $name', ({ create }) => {
  let database: TestDatabase;
  let service: WholeService;

  beforeAll(async () => {
    database = await create();
    service = await startWholeService({
      DATABASE_URL: databaseUrl(database.settings),
      DEFAULT_PLAN: 'enterprise',
    });
  });
  afterAll(async () => {
    await service?.close();
    await database?.drop();
  });

  async function call(method: string, path: string, body?: object, key = service.key): Promise<Answer> {
    const response = await fetch(service.url + path, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? null : JSON.parse(text) };
  }

  async function start(config: object, ...nodes: readonly object[]): Promise<string> {
    const workflow = await call('POST', '/v1/workflows', { name: 'Long', config, nodes });
    expect([workflow.status, workflow.body]).toEqual([201, expect.anything()]);
    return (await call('POST', `/v1/workflows/${workflow.body.id}/executions`, {})).body.id;
  }

  async function read(id: string): Promise<Answer['body']> {
    return (await call('GET', `/v1/executions/${id}`)).body;
  }

  async function events(id: string): Promise<readonly Event[]> {
    return (await call('GET', `/v1/executions/${id}/events?limit=100`)).body.data;
  }

  function asleep(id: string): Promise<unknown> {
    return until('the suspension of the execution', async () => (await read(id)).status === 'waiting');
  }

  async function advance(seconds: number): Promise<Answer['body']> {
    const moved = await call('POST', '/v1/test-clock', { advance_seconds: seconds });
    expect(moved).toMatchObject({ status: 200, body: { reached: true, settled: true } });
    return moved.body;
  }

  describe('a definition', () => {
    it.each<[string, object, string]>([
      ['a deadline without active time', { deadline_seconds: 60 }, 'config.deadline_seconds'],
      ['a deadline of zero', { timeout_counts: 'active', deadline_seconds: 0 }, 'config.deadline_seconds'],
      [
        'a deadline of more than ten years',
        { timeout_counts: 'active', deadline_seconds: 315_360_001 },
        'config.deadline_seconds',
      ],
      ['an unknown value of timeout_counts', { timeout_counts: 'sometimes' }, 'config.timeout_counts'],
    ])('the API rejects a workflow with an invalid timeout or deadline: %s', async (_what, config, field) => {
      const { status, body } = await call('POST', '/v1/workflows', { name: 'x', config });
      expect([status, body.error.details.field]).toEqual([400, field]);
    });

    it('the API stores the settings `timeout_counts: active` and `deadline_seconds` of a workflow', async () => {
      const config = { timeout_counts: 'active', deadline_seconds: 315_360_000 };
      const { status, body } = await call('POST', '/v1/workflows', { name: 'x', config });
      expect([status, body.config]).toEqual([201, expect.objectContaining(config)]);
    });
  });

  describe('warnings about long waits', () => {
    const delay = (id: string, seconds: number | string, needs: readonly string[] = []): object => ({
      id,
      type: 'delay',
      needs,
      with: { seconds },
    });
    const warningsOf = async (config: object, ...nodes: readonly object[]): Promise<readonly string[]> => {
      const { status, body } = await call('POST', '/v1/workflows/validate', { name: 'x', config, nodes });
      expect([status, body.valid, body.errors]).toEqual([200, true, []]);
      return body.warnings.map(({ path, code }: Record<string, string>) => `${path} ${code}`);
    };

    it('the API warns about a wait that exceeds the workflow timeout, and names the setting to change', async () => {
      const nodes = [delay('nap', DAY)];
      const made = await call('POST', '/v1/workflows', { name: 'x', nodes });
      expect(made.status).toBe(201);
      expect(made.body.warnings).toEqual([
        {
          path: 'nodes[0].with.seconds',
          code: 'wait_exceeds_timeout',
          message:
            'This wait may take 1 day, but the execution times out 5 minutes after its start, including waits. Set config.timeout_counts to "active", so that waits do not count.',
        },
      ]);
      const path = `/v1/workflows/${made.body.id}`;
      const changed = await call('PATCH', path, { config: { timeout_counts: 'active' } });
      expect(changed.status).toBe(200);
      expect(changed.body).not.toHaveProperty('warnings');
      const back = await call('PUT', path, { name: 'x', nodes: [delay('nap', 400)] });
      expect(back.body.warnings[0].message).toContain('or raise config.timeout_seconds above 400.');
    });

    it('the API warns about a wait, or a path of delays, that is longer than the timeout of the execution', async () => {
      const wait = { id: 'paid', type: 'wait', with: { signal: 'payment', timeout_seconds: DAY } };
      const fixed = { id: 'until', type: 'delay', with: { until: '2999-01-01T00:00:00Z' } };
      const each = { id: 'each', type: 'foreach', with: { items: [1], nodes: [delay('inner', DAY)] } };
      expect(await warningsOf({}, wait, fixed, each)).toEqual([
        'nodes[0].with.timeout_seconds wait_exceeds_timeout',
        'nodes[1].with.until wait_exceeds_timeout',
        'nodes[2].with.nodes[0].with.seconds wait_exceeds_timeout',
      ]);
      const path = [delay('a', 200), delay('b', 90, ['a']), delay('c', 90, ['b']), delay('d', 90, ['c'])];
      expect(await warningsOf({}, ...path)).toEqual(['nodes[2].with.seconds wait_exceeds_timeout']);
    });

    it('the API does not warn about a wait that is short, of unknown length, or excluded from the timeout', async () => {
      expect(await warningsOf({}, delay('a', 200), delay('b', 200))).toEqual([]);
      expect(await warningsOf({}, delay('a', '{{ input.seconds }}'))).toEqual([]);
      expect(await warningsOf({ timeout_counts: 'active' }, delay('a', DAY))).toEqual([]);
    });

    it('the API warns about a wait that exceeds the deadline of the workflow', async () => {
      const config = { timeout_counts: 'active', deadline_seconds: DAY - 1 };
      expect(await warningsOf(config, delay('a', DAY))).toEqual([
        'nodes[0].with.seconds wait_exceeds_deadline',
      ]);
    });
  });

  it('an execution does not time out while it waits if `timeout_counts` is `active`', async () => {
    const id = await start(
      { timeout_counts: 'active', timeout_seconds: 60 },
      { id: 'nap', type: 'delay', with: { seconds: 40 * DAY } },
      { id: 'ask', type: 'wait', needs: ['nap'], with: { signal: 'go' } },
    );
    await asleep(id);
    expect(await read(id)).toMatchObject({
      timeout_at: null,
      active_time: { limit_ms: 60_000, counts_since: null, deadline_at: null },
    });
    await advance(39 * DAY);
    expect((await read(id)).status).toBe('waiting');
    await advance(100 * DAY);
    const explained = (await call('GET', `/v1/executions/${id}/explain`)).body;
    expect(explained).toMatchObject({ cause: 'signal', frees: { at: null } });
    await call('POST', `/v1/executions/${id}/signals/go`, { payload: 'yes' });
    const ended = await until('the end of the execution', async () => {
      const execution = await read(id);
      return execution.status === 'completed' && execution;
    });
    expect(ended.output).toBe('yes');
    expect(ended.active_time.used_ms).toBeLessThan(60_000);
    expect(ended.duration_ms).toBeGreaterThanOrEqual(139 * DAY_MS);
  });

  it('an execution times out at its deadline, even while it waits', async () => {
    const config = { timeout_counts: 'active', timeout_seconds: 60, deadline_seconds: 10 * DAY };
    const id = await start(config, { id: 'ask', type: 'wait', with: { signal: 'never' } });
    await asleep(id);
    const { started_at, active_time } = await read(id);
    expect(Date.parse(active_time.deadline_at) - Date.parse(started_at)).toBe(10 * DAY_MS);
    const explained = (await call('GET', `/v1/executions/${id}/explain`)).body;
    expect(explained.frees.at).toBe(active_time.deadline_at);
    await advance(10 * DAY - 60);
    expect((await read(id)).status).toBe('waiting');
    await advance(60);
    expect(await read(id)).toMatchObject({
      status: 'timed_out',
      status_reason: 'deadline_exceeded',
      error: { type: 'deadline_exceeded', node_id: null },
    });
  });

  it('an execution times out while it waits if `timeout_counts` is not set', async () => {
    const id = await start({ timeout_seconds: 600 }, { id: 'nap', type: 'delay', with: { seconds: DAY } });
    await asleep(id);
    const execution = await read(id);
    expect(execution).not.toHaveProperty('active_time');
    await advance(DAY);
    const { status, finished_at, error } = await read(id);
    expect([status, error.type]).toEqual(['timed_out', 'execution_timeout']);
    expect(Date.parse(finished_at) - Date.parse(execution.timeout_at)).toBeLessThan(60_000);
  });

  it('an execution with `timeout_counts: active` does not time out while it is paused', async () => {
    const id = await start(
      { timeout_counts: 'active', timeout_seconds: 60 },
      { id: 'nap', type: 'delay', with: { seconds: DAY } },
    );
    await asleep(id);
    await call('POST', `/v1/executions/${id}/pause`, {});
    await advance(2 * DAY);
    expect(await read(id)).toMatchObject({ status: 'paused', timeout_at: null });
    await call('POST', `/v1/executions/${id}/resume`, {});
    await until('the end of the execution', async () => (await read(id)).status === 'completed');
  });

  it('a `wait` node sends a reminder every `remind_every_seconds` seconds until the signal arrives', async () => {
    const refused = await call('POST', '/v1/workflows', {
      name: 'x',
      nodes: [{ id: 'ask', type: 'wait', with: { signal: 'go', remind_every_seconds: 59 } }],
    });
    expect([refused.status, refused.body.error.details.field]).toEqual([
      400,
      'nodes[0].with.remind_every_seconds',
    ]);
    const id = await start(
      { timeout_counts: 'active' },
      { id: 'ask', type: 'wait', with: { signal: 'go', remind_every_seconds: DAY } },
    );
    await asleep(id);
    await advance(3.5 * DAY);
    const reminders = async (): Promise<readonly Event[]> =>
      (await events(id)).filter(({ type }) => type === 'workflow.node.progress');
    const sent = await reminders();
    expect(sent.map(({ data }) => data)).toMatchObject(
      [1, 2, 3].map((reminder) => ({ node_id: 'ask', reminder })),
    );
    const waiting = (await events(id)).find(({ type }) => type === 'workflow.node.waiting');
    expect(waiting?.data['remind_every_seconds']).toBe(DAY);
    const began = Date.parse(waiting?.created_at ?? '');
    sent.forEach(({ created_at }, index) => {
      const late = Date.parse(created_at) - began - (index + 1) * DAY_MS;
      expect(late).toBeGreaterThanOrEqual(0);
      expect(late).toBeLessThan(DAY_MS / 2);
    });
    await call('POST', `/v1/executions/${id}/signals/go`, { payload: null });
    await until('the end of the execution', async () => (await read(id)).status === 'completed');
    await advance(2 * DAY);
    expect(await reminders()).toHaveLength(3);
  });

  describe('the test clock', () => {
    it('GET /v1/test-clock returns the current time and the offset of the test clock', async () => {
      const { now, offset_ms } = (await call('GET', '/v1/test-clock')).body;
      expect(Math.abs(Date.parse(now) - offset_ms - Date.now())).toBeLessThan(60_000);
    });

    it('moving the test clock by 8 days fires all due delays and schedules in the order of their times', async () => {
      const delays = [7, 3, 5].map((days) => ({
        id: `after_${days}`,
        type: 'delay',
        with: { seconds: days * DAY },
      }));
      const quick = await call('POST', '/v1/workflows', {
        name: 'Quick',
        nodes: [{ id: 'text', type: 'set', with: { value: 1 } }],
      });
      const id = await start(
        { timeout_counts: 'active' },
        ...delays,
        { id: 'child', type: 'workflow', needs: ['after_3'], with: { workflow_id: quick.body.id } },
        { id: 'retried', type: 'fail', needs: ['after_5'], with: { message: 'no' }, on_error: 'continue' },
      );
      const schedule = await call('POST', '/v1/schedules', {
        workflow_id: quick.body.id,
        every_seconds: 2 * DAY,
      });
      await asleep(id);
      const { target, instants } = await advance(8 * DAY);
      expect(instants).toBeGreaterThanOrEqual(6);
      const done = (await events(id)).filter(({ type }) => /complete$|node\.failed$/.test(type));
      expect(done.map(({ node_id }) => node_id)).toEqual([
        'after_3',
        'child',
        'after_5',
        'retried',
        'after_7',
      ]);
      const fires = (await call('GET', `/v1/schedules/${schedule.body.id}/fires?order=asc`)).body.data;
      expect(fires).toHaveLength(4);
      for (const { scheduled_for, fired_at } of fires)
        expect(Date.parse(fired_at) - Date.parse(scheduled_for)).toBeLessThan(60_000);
      await call('DELETE', `/v1/schedules/${schedule.body.id}`);
      expect(Date.parse((await call('GET', '/v1/test-clock')).body.now)).toBeGreaterThanOrEqual(
        Date.parse(target),
      );
    });

    it('sessions and keys expire when the test clock moves past their expiry times', async () => {
      const session = (await call('POST', '/v1/sessions', { name: 's', expires_in_seconds: DAY })).body;
      const { now } = (await call('GET', '/v1/test-clock')).body;
      const expires_at = new Date(Date.parse(now) + DAY_MS).toISOString();
      const { key } = (await call('POST', '/v1/keys', { name: 'k', expires_at })).body;
      expect((await call('GET', '/v1/sessions', undefined, key)).status).toBe(200);
      await advance(DAY + 1);
      expect((await call('GET', `/v1/sessions/${session.id}`)).body.status).toBe('expired');
      expect((await call('GET', '/v1/sessions', undefined, key)).status).toBe(401);
    });

    it.each<[string, object, string]>([
      [
        'both advance_seconds and set',
        { advance_seconds: 1, set: '2999-01-01T00:00:00Z' },
        'advance_seconds',
      ],
      ['an empty body', {}, 'advance_seconds'],
      ['a time in the past', { set: '2020-01-01T00:00:00Z' }, 'set'],
      ['a string that is not a date-time', { set: 'tomorrow' }, 'set'],
      ['a negative advance', { advance_seconds: -1 }, 'advance_seconds'],
      ['an advance of more than ten years', { advance_seconds: 315_360_001 }, 'advance_seconds'],
    ])('the API rejects an invalid request to move the test clock: %s', async (_what, body, field) => {
      const { status, body: answer } = await call('POST', '/v1/test-clock', body);
      expect([status, answer.error.details.field]).toEqual([400, field]);
    });

    it('POST /v1/test-clock with the field `set` moves the test clock to the given time', async () => {
      const { now } = (await call('GET', '/v1/test-clock')).body;
      const set = new Date(Date.parse(now) + DAY_MS).toISOString();
      const moved = await call('POST', '/v1/test-clock', { set });
      expect(moved).toMatchObject({ status: 200, body: { reached: true, target: set } });
      expect(moved.body.now >= set).toBe(true);
    });

    it('a key that is bound to a project can neither read nor move the test clock', async () => {
      const project = (await call('GET', '/v1/projects')).body.data[0].id;
      const { key } = (await call('POST', '/v1/keys', { name: 'p', project_id: project })).body;
      const refused = await call('POST', '/v1/test-clock', { advance_seconds: 1 }, key);
      expect([refused.status, refused.body.error.code]).toEqual([403, 'admin_required']);
      expect((await call('GET', '/v1/test-clock', undefined, key)).status).toBe(403);
    });
  });
});

describe('a service that was started without the test clock', () => {
  it('the service responds 404 to /v1/test-clock if the test clock is disabled', async () => {
    const service = await startWholeService({ NODE_ENV: 'development' });
    try {
      for (const method of ['GET', 'POST']) {
        const response = await fetch(`${service.url}/v1/test-clock`, {
          method,
          headers: { authorization: `Bearer ${service.key}` },
        });
        expect(response.status).toBe(404);
      }
    } finally {
      await service.close();
    }
  });
});
