import { setImmediate as endOfTurn } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { FirstAdminService } from '../../src/auth/index.js';
import { InstantFiring } from '../../src/schedules/instant-firing.js';
import type { Schedule } from '../../src/schedules/schedule.js';
import { ScheduleRunner } from '../../src/schedules/schedule-runner.js';
import { SchedulesRepository } from '../../src/schedules/schedules.repository.js';
import { ClockedService, type ClockedAnswer } from '../support/clocked-service.js';
import { databaseKinds, type TestDatabase } from '../support/database.js';
import { ManualClock } from '../support/manual-clock.js';
import { TestService } from '../support/service.js';
import { until } from '../support/until.js';

const MINUTE = 60_000;
/** Start time of the test clock: a Tuesday. */
const START = Date.parse('2030-01-01T12:00:30.000Z');

interface Fire {
  readonly scheduled_for: string;
  readonly fired_at: string;
  readonly outcome: string;
  readonly reason: string | null;
  readonly execution_id: string | null;
}

describe.each(await databaseKinds())('schedules on $name', ({ create }) => {
  let database: TestDatabase;
  let clock: ManualClock;
  let service: ClockedService;
  let headers: Readonly<Record<string, string>>;
  /** Workflow ids. Executions of `quick` complete immediately; executions of `waiting` wait for a signal. */
  let quick: string;
  let waiting: string;

  beforeAll(async () => {
    database = await create();
    clock = new ManualClock(START);
    await open();
    const { secret } = await service.app.get(FirstAdminService).create({ email: 'admin@example.com' });
    headers = { authorization: `Bearer ${secret}` };
    quick = await workflow([{ id: 'text', type: 'set', with: { value: '{{ input }}' } }]);
    waiting = await workflow([{ id: 'hold', type: 'wait', with: { signal: 'go' } }]);
  });
  afterAll(async () => {
    await service?.close();
    await database?.drop();
  });
  beforeEach(async () => {
    // Deletes the schedules of earlier tests, because they would start executions during the next test.
    for (const { id } of (await call('GET', '/v1/schedules?limit=100')).body.data)
      await call('DELETE', `/v1/schedules/${id}`);
  });

  async function open(): Promise<void> {
    service = await ClockedService.start({}, database.settings, clock);
  }

  function call(
    method: string,
    path: string,
    body?: unknown,
    more: Readonly<Record<string, string>> = {},
  ): Promise<ClockedAnswer> {
    return service.call(method, path, body, { ...headers, ...more });
  }

  async function workflow(nodes: readonly object[], more: object = {}): Promise<string> {
    const { status, body } = await call('POST', '/v1/workflows', { name: 'Scheduled', nodes, ...more });
    expect(status).toBe(201);
    return body.id;
  }

  async function schedule(fields: object): Promise<string> {
    const { status, body } = await call('POST', '/v1/schedules', { workflow_id: quick, ...fields });
    expect([status, body]).toEqual([201, expect.anything()]);
    return body.id;
  }

  async function fires(id: string): Promise<readonly Fire[]> {
    return (await call('GET', `/v1/schedules/${id}/fires?order=asc&limit=100`)).body.data;
  }

  /** Advances the clock by `ms`. Then waits until the schedule has recorded the outcomes of `count` scheduled times. */
  async function advance(ms: number, id: string, count: number): Promise<readonly Fire[]> {
    clock.advance(ms);
    service.app.get(ScheduleRunner, { strict: false }).changed();
    return until(`outcome ${count} of the schedule`, async () => {
      const found = await fires(id);
      return found.length >= count && found;
    });
  }

  function execution(id: string | null): Promise<ClockedAnswer> {
    return call('GET', `/v1/executions/${id}`);
  }

  describe('creation', () => {
    it('POST /v1/schedules returns 201 with every documented field of the new schedule', async () => {
      const {
        status,
        body,
        headers: given,
      } = await call('POST', '/v1/schedules', {
        workflow_id: quick,
        name: 'Report',
        cron: '0 9 * * MON-FRI',
        time_zone: 'Europe/Berlin',
        input: { a: 1 },
        metadata: { team: 'sales' },
        priority: 7,
      });
      expect(status).toBe(201);
      expect(given.get('location')).toBe(`/v1/schedules/${body.id}`);
      expect(given.get('etag')).toBe('"1"');
      expect(body).toEqual({
        id: expect.any(String),
        project_id: expect.any(String),
        workflow_id: quick,
        name: 'Report',
        cron: '0 9 * * MON-FRI',
        every_seconds: null,
        at: null,
        time_zone: 'Europe/Berlin',
        input: { a: 1 },
        metadata: { team: 'sales' },
        priority: 7,
        overlap: 'skip',
        catch_up_seconds: 3600,
        jitter_seconds: 0,
        starts_at: null,
        ends_at: null,
        status: 'active',
        next_at: '2030-01-02T08:00:00.000Z',
        last_fire: null,
        fired_total: 0,
        skipped_total: 0,
        created_at: '2030-01-01T12:00:30.000Z',
        updated_at: '2030-01-01T12:00:30.000Z',
      });
      expect((await call('GET', `/v1/schedules/${body.id}`)).body).toEqual(body);
    });

    it.each([
      ['no timing', {}, 'cron'],
      ['two timings', { cron: '@daily', every_seconds: 5 }, 'cron'],
      ['a malformed cron expression', { cron: '61 * * * *' }, 'cron'],
      ['a date that never occurs', { cron: '0 0 30 2 *' }, 'cron'],
      ['an unknown time zone', { cron: '@daily', time_zone: 'Europe/Atlantis' }, 'time_zone'],
      ['an interval under a second', { every_seconds: 0 }, 'every_seconds'],
      ['a time in the year 10000 in UTC', { at: '9999-12-31T23:59:59-05:00' }, 'at'],
      [
        'an end in the year 10000 in UTC',
        { cron: '@daily', ends_at: '9999-12-31T23:59:59-05:00' },
        'ends_at',
      ],
      ['a time in the past', { at: '2029-01-01T00:00:00Z' }, 'at'],
      [
        'an end before the first scheduled time',
        { cron: '@daily', ends_at: '2030-01-01T13:00:00Z' },
        'ends_at',
      ],
      [
        'an end before the start',
        { cron: '@daily', starts_at: '2031-01-01T00:00:00Z', ends_at: '2030-06-01T00:00:00Z' },
        'ends_at',
      ],
      ['an unknown field', { cron: '@daily', timezone: 'UTC' }, 'timezone'],
    ])('the service rejects a new schedule with invalid or missing fields: %s', async (_, fields, field) => {
      const { status, body } = await call('POST', '/v1/schedules', { workflow_id: quick, ...fields });
      expect([status, body.error.type, body.error.details.field]).toEqual([400, 'validation_error', field]);
    });

    it('the service rejects a schedule whose input does not match the input schema of its workflow', async () => {
      const strict = await workflow([{ id: 'text', type: 'set', with: { value: 1 } }], {
        input_schema: { type: 'object', required: ['name'] },
      });
      const { status, body } = await call('POST', '/v1/schedules', { workflow_id: strict, cron: '@daily' });
      expect([status, body.error.code]).toEqual([400, 'invalid_input']);
    });

    it('a request with a repeated Idempotency-Key returns the schedule of the first request', async () => {
      const once = { 'idempotency-key': 'schedule-1' };
      const fields = { workflow_id: quick, cron: '@daily' };
      const first = await call('POST', '/v1/schedules', fields, once);
      const second = await call('POST', '/v1/schedules', fields, once);
      expect(second.body).toEqual(first.body);
      expect(second.headers.get('idempotent-replayed')).toBe('true');
    });
  });

  describe('scheduled times', () => {
    it('a schedule starts one execution for each scheduled time and records that time in `scheduled_for`', async () => {
      const id = await schedule({ cron: '* * * * *', input: { n: 1 }, metadata: { k: 'v' }, priority: 8 });
      const [first] = await advance(MINUTE, id, 1);
      const instant = first?.scheduled_for ?? '';
      expect(first).toMatchObject({ outcome: 'started', reason: null });
      expect(Date.parse(instant) % MINUTE).toBe(0);
      const body = await until('the end of the first execution', async () => {
        const answer = await execution(first?.execution_id ?? null);
        return answer.body.status === 'completed' && answer.body;
      });
      expect(body).toMatchObject({
        workflow_id: quick,
        trigger: { type: 'schedule', id },
        scheduled_for: instant,
        input: { n: 1 },
        metadata: { k: 'v' },
        priority: 8,
      });
      await advance(MINUTE, id, 2);
      const { body: after } = await call('GET', `/v1/schedules/${id}`);
      expect(after).toMatchObject({ fired_total: 2, skipped_total: 0, last_fire: { outcome: 'started' } });
      expect(Date.parse(after.next_at)).toBe(Date.parse(instant) + 2 * MINUTE);
    });

    it('a schedule gets the status `ended` after its last scheduled time', async () => {
      const once = await schedule({ at: new Date(clock.now() + 10_000).toISOString() });
      const limited = await schedule({
        every_seconds: 60,
        ends_at: new Date(clock.now() + MINUTE).toISOString(),
      });
      await advance(MINUTE, once, 1);
      await until('the outcome of the second schedule', async () => (await fires(limited)).length === 1);
      for (const id of [once, limited])
        expect((await call('GET', `/v1/schedules/${id}`)).body).toMatchObject({
          status: 'ended',
          next_at: null,
          fired_total: 1,
        });
    });

    it('a schedule records why an execution could not start, and starts an execution at the next scheduled time', async () => {
      const id = await schedule({ cron: '* * * * *' });
      const { body } = await call('GET', `/v1/workflows/${quick}`);
      await call('PUT', `/v1/workflows/${quick}`, { name: body.name, nodes: body.nodes, status: 'paused' });
      const [failed] = await advance(MINUTE, id, 1);
      expect(failed).toMatchObject({
        outcome: 'failed',
        reason: expect.stringMatching(/^workflow_not_active: The workflow is paused/),
        execution_id: null,
      });
      await call('PUT', `/v1/workflows/${quick}`, { name: body.name, nodes: body.nodes, status: 'active' });
      expect((await advance(MINUTE, id, 2))[1]).toMatchObject({ outcome: 'started' });
    });

    it('a schedule of a deleted workflow ends at its next scheduled time', async () => {
      const doomed = await workflow([{ id: 'text', type: 'set', with: { value: 1 } }]);
      const id = await schedule({ workflow_id: doomed, cron: '* * * * *' });
      await call('DELETE', `/v1/workflows/${doomed}`);
      const [failed] = await advance(MINUTE, id, 1);
      expect(failed).toMatchObject({ outcome: 'failed', reason: 'The workflow was deleted.' });
      expect((await call('GET', `/v1/schedules/${id}`)).body).toMatchObject({ status: 'ended' });
    });

    it('a schedule with jitter keeps the exact scheduled time in `scheduled_for`', async () => {
      const id = await schedule({ every_seconds: 3600, jitter_seconds: 600 });
      const next = Date.parse((await call('GET', `/v1/schedules/${id}`)).body.next_at);
      clock.advance(next - clock.now());
      const [fire] = await advance(600_000, id, 1);
      expect(fire?.scheduled_for).toBe(new Date(next).toISOString());
      expect(next % 3_600_000).toBe(0);
    });
  });

  describe('overlap policies', () => {
    it('the overlap policy `skip` skips a scheduled time while the previous execution is unfinished', async () => {
      const id = await schedule({ workflow_id: waiting, cron: '* * * * *' });
      const [first] = await advance(MINUTE, id, 1);
      const [, second] = await advance(MINUTE, id, 2);
      expect(second).toMatchObject({ outcome: 'skipped', reason: 'The previous execution has not ended.' });
      await call('POST', `/v1/executions/${first?.execution_id}/cancel`, {});
      expect((await advance(MINUTE, id, 3))[2]).toMatchObject({ outcome: 'started' });
      expect((await call('GET', `/v1/schedules/${id}`)).body).toMatchObject({
        fired_total: 2,
        skipped_total: 1,
      });
    });

    it('the overlap policy `queue` starts each execution only after the previous execution has ended', async () => {
      const id = await schedule({ workflow_id: waiting, cron: '* * * * *', overlap: 'queue' });
      const [first] = await advance(MINUTE, id, 1);
      clock.advance(2 * MINUTE);
      service.app.get(ScheduleRunner, { strict: false }).changed();
      await until('the schedule to wait for the previous execution', async () => {
        const [row] = await rows('SELECT waited_until FROM schedules WHERE id = $1', id);
        return row?.['waited_until'] !== null;
      });
      expect(await fires(id)).toHaveLength(1);
      await call('POST', `/v1/executions/${first?.execution_id}/cancel`, {});
      const [, second] = await advance(MINUTE, id, 2);
      expect(Date.parse(second?.scheduled_for ?? '')).toBe(Date.parse(first?.scheduled_for ?? '') + MINUTE);
      await call('POST', `/v1/executions/${second?.execution_id}/cancel`, {});
      const [, , third] = await advance(MINUTE, id, 3);
      expect(Date.parse(third?.scheduled_for ?? '')).toBe(
        Date.parse(first?.scheduled_for ?? '') + 2 * MINUTE,
      );
    });

    it('the overlap policy `cancel_previous` cancels an unfinished execution, and the policy `allow` does not', async () => {
      const cancelling = await schedule({
        workflow_id: waiting,
        cron: '* * * * *',
        overlap: 'cancel_previous',
      });
      const allowing = await schedule({ workflow_id: waiting, cron: '* * * * *', overlap: 'allow' });
      const [first] = await advance(MINUTE, cancelling, 1);
      await advance(MINUTE, cancelling, 2);
      await until('both outcomes of the second schedule', async () => (await fires(allowing)).length === 2);
      expect((await execution(first?.execution_id ?? null)).body).toMatchObject({
        status: 'cancelled',
        status_reason: 'The next scheduled time of its schedule is due.',
      });
      for (const { execution_id } of await fires(allowing))
        expect((await execution(execution_id)).body.status).not.toBe('cancelled');
    });
  });

  describe('after downtime', () => {
    it('after downtime, a schedule starts only the missed executions of the last `catch_up_seconds`', async () => {
      const id = await schedule({ cron: '* * * * *', overlap: 'allow', catch_up_seconds: 150 });
      await service.app.close();
      clock.advance(10 * MINUTE);
      await open();
      const found = await until('the outcomes of the schedule', async () => {
        const all = await fires(id);
        return all.filter(({ outcome }) => outcome === 'started').length === 3 && all;
      });
      expect(found.map(({ outcome }) => outcome)).toEqual(['skipped', 'started', 'started', 'started']);
      expect(found[0]?.reason).toMatch(/^7 scheduled times were older than catch_up_seconds \(150\)/);
      expect((await call('GET', `/v1/schedules/${id}`)).body).toMatchObject({
        fired_total: 3,
        skipped_total: 7,
      });
    });
  });

  describe('manual actions', () => {
    it('a paused schedule starts no executions, and a resumed schedule continues with future times', async () => {
      const id = await schedule({ cron: '* * * * *' });
      const paused = await call('POST', `/v1/schedules/${id}/pause`, undefined);
      expect([paused.status, paused.body.status, paused.body.next_at]).toEqual([200, 'paused', null]);
      expect((await call('POST', `/v1/schedules/${id}/pause`)).status).toBe(200);
      clock.advance(5 * MINUTE);
      const resumed = await call('POST', `/v1/schedules/${id}/resume`);
      expect(resumed.body.status).toBe('active');
      expect(Date.parse(resumed.body.next_at)).toBeGreaterThan(clock.now());
      await advance(MINUTE, id, 1);
      expect(await fires(id)).toHaveLength(1);
    });

    it('POST /v1/schedules/{id}/trigger starts an execution immediately, even if the schedule is paused', async () => {
      const id = await schedule({ cron: '@yearly', input: 'now' });
      await call('POST', `/v1/schedules/${id}/pause`);
      const { status, body, headers: given } = await call('POST', `/v1/schedules/${id}/trigger`);
      expect(status).toBe(201);
      expect(given.get('location')).toBe(`/v1/executions/${body.id}`);
      expect(body).toMatchObject({ trigger: { type: 'schedule', id }, input: 'now' });
      expect(await fires(id)).toMatchObject([{ outcome: 'started', execution_id: body.id }]);
    });

    it('the API returns the next scheduled times of a saved schedule, and of a cron expression without a schedule', async () => {
      const id = await schedule({ cron: '0 0 1 1 *' });
      const upcoming = await call('GET', `/v1/schedules/${id}/upcoming?count=2`);
      expect(upcoming.body).toEqual({ data: ['2031-01-01T00:00:00.000Z', '2032-01-01T00:00:00.000Z'] });
      const preview = await call('POST', '/v1/schedules/preview', {
        cron: '0 9 1 7 *',
        time_zone: 'Europe/Berlin',
        count: 1,
      });
      expect([preview.status, preview.body]).toEqual([200, { data: ['2030-07-01T07:00:00.000Z'] }]);
      const refused = await call('POST', '/v1/schedules/preview', { cron: 'no' });
      expect([refused.status, refused.body.error.details.field]).toEqual([400, 'cron']);
    });

    it('a backfill of a paused schedule starts one execution for each scheduled time in the time range', async () => {
      const id = await schedule({ cron: '0 * * * *' });
      await call('POST', `/v1/schedules/${id}/pause`);
      const span = { from: '2029-12-31T00:00:00Z', to: '2029-12-31T23:59:59Z' };
      const { status, body } = await call('POST', `/v1/schedules/${id}/backfill`, span);
      expect([status, body]).toEqual([
        202,
        {
          id: expect.any(String),
          from: '2029-12-31T00:00:00.000Z',
          to: '2029-12-31T23:59:59.000Z',
          overlap: 'allow',
          status: 'running',
          instants: 24,
          done: 0,
          created_at: expect.any(String),
          finished_at: null,
        },
      ]);
      const found = await until('the backfill', async () => {
        const all = await fires(id);
        return all.length === 24 && all;
      });
      expect(found.map(({ scheduled_for: at }) => at)).toEqual(
        Array.from({ length: 24 }, (_, hour) => new Date(Date.UTC(2029, 11, 31, hour)).toISOString()),
      );
      expect(found.every(({ outcome }) => outcome === 'started')).toBe(true);
      expect((await call('GET', `/v1/schedules/${id}`)).body).toMatchObject({
        status: 'paused',
        fired_total: 24,
      });
      const one = `/v1/schedules/${id}/backfills/${body.id}`;
      const finished = await until('the end of the backfill', async () => {
        const answer = await call('GET', one);
        return answer.body.status === 'finished' && answer.body;
      });
      expect(finished).toMatchObject({ id: body.id, instants: 24, done: 24 });
      expect(finished.finished_at).toEqual(expect.any(String));
      expect((await call('GET', `/v1/schedules/${id}/backfills`)).body.data).toEqual([finished]);
      const elsewhere = await schedule({ cron: '@daily' });
      expect((await call('GET', `/v1/schedules/${elsewhere}/backfills/${body.id}`)).status).toBe(404);
    });

    it('a backfill request with a repeated Idempotency-Key does not start a second backfill', async () => {
      const id = await schedule({ cron: '0 * * * *' });
      const span = { from: '2029-12-31T00:00:00Z', to: '2029-12-31T02:00:00Z' };
      const once = { 'idempotency-key': `backfill-${id}` };
      const first = await call('POST', `/v1/schedules/${id}/backfill`, span, once);
      const second = await call('POST', `/v1/schedules/${id}/backfill`, span, once);
      expect([second.status, second.body]).toEqual([202, first.body]);
      expect(second.headers.get('idempotent-replayed')).toBe('true');
      await until('the backfill', async () => (await fires(id)).length >= 3);
      expect((await call('GET', `/v1/schedules/${id}/backfills`)).body.data).toHaveLength(1);
    });

    it('a backfill of a time range without scheduled times is finished immediately', async () => {
      const id = await schedule({ cron: '@daily' });
      const span = { from: '2029-12-31T01:00:00Z', to: '2029-12-31T02:00:00Z' };
      const { status, body } = await call('POST', `/v1/schedules/${id}/backfill`, span);
      expect([status, body.instants, body.status]).toEqual([202, 0, 'finished']);
    });

    it('the service rejects a backfill with over 10,000 scheduled times, a future `to`, or `from` after `to`', async () => {
      const id = await schedule({ every_seconds: 1 });
      for (const [from, to] of [
        ['2029-12-31T00:00:00Z', '2029-12-31T03:00:00Z'],
        ['2030-01-01T00:00:00Z', '2040-01-01T00:00:00Z'],
        ['2029-12-31T00:00:01Z', '2029-12-31T00:00:00Z'],
      ]) {
        const { status, body } = await call('POST', `/v1/schedules/${id}/backfill`, { from, to });
        expect([status, body.error.details.field]).toEqual([400, 'to']);
      }
    });

    it('PATCH changes only the given fields of a schedule, and a new interval applies immediately', async () => {
      const id = await schedule({ cron: '@daily', name: 'Old' });
      const renamed = await call('PATCH', `/v1/schedules/${id}`, { name: 'New' }, { 'if-match': '"1"' });
      expect(renamed.body).toMatchObject({ name: 'New', cron: '@daily', next_at: expect.any(String) });
      const stale = await call('PATCH', `/v1/schedules/${id}`, { name: 'Late' }, { 'if-match': '"1"' });
      expect(stale.status).toBe(412);
      const retimed = await call('PATCH', `/v1/schedules/${id}`, { every_seconds: 60 });
      expect(retimed.body).toMatchObject({ cron: null, every_seconds: 60, status: 'active' });
      expect(Date.parse(retimed.body.next_at) - clock.now()).toBeLessThanOrEqual(MINUTE);
      const emptied = await call('PATCH', `/v1/schedules/${id}`, { every_seconds: null });
      expect(emptied.status).toBe(400);
      const audit = await call('GET', `/v1/audit-log?target=${id}&limit=1`);
      expect(audit.body.data[0].after).toMatchObject({ status: 'active', nextAt: retimed.body.next_at });
    });

    it('GET of a deleted schedule returns 404, and the audit log records the creation and deletion of the schedule', async () => {
      const id = await schedule({ cron: '* * * * *' });
      await advance(MINUTE, id, 1);
      expect((await call('DELETE', `/v1/schedules/${id}`)).status).toBe(204);
      expect((await call('GET', `/v1/schedules/${id}`)).status).toBe(404);
      const { body } = await call('GET', `/v1/audit-log?target=${id}`);
      expect(body.data.map(({ action }: { readonly action: string }) => action)).toEqual([
        'schedule.deleted',
        'schedule.created',
      ]);
    });
  });

  async function rows(sql: string, id: string): Promise<readonly Record<string, unknown>[]> {
    const { DataSource } = await import('typeorm');
    const source = service.app.get(DataSource);
    return source.query(source.options.type === 'postgres' ? sql : sql.replaceAll('$1', '?'), [id]);
  }
});

describe('schedules with the system clock', () => {
  it('a schedule with an interval of one second records a scheduled time for every second of the system clock', async () => {
    const service = await TestService.start();
    try {
      const { body: workflow } = await service.post('/v1/workflows', {
        name: 'Tick',
        nodes: [{ id: 'text', type: 'set', with: { value: 1 } }],
      });
      const { body } = await service.post('/v1/schedules', { workflow_id: workflow.id, every_seconds: 1 });
      const found = await until('three outcomes of the schedule', async () => {
        const { body: list } = await service.get<{ readonly data: readonly Fire[] }>(
          `/v1/schedules/${body.id}/fires?order=asc`,
        );
        return list.data.length >= 3 && list.data;
      });
      const instants = found.map(({ scheduled_for: at }) => Date.parse(at));
      expect(instants.map((at) => (at - (instants[0] ?? 0)) / 1_000)).toEqual(found.map((_, index) => index));
    } finally {
      await service.stop();
    }
  });

  it('a shutdown waits for the starts of schedules in progress although another start has failed', async () => {
    const service = await TestService.start();
    try {
      const runner = service.app.get(ScheduleRunner, { strict: false });
      const due = vi.spyOn(service.app.get(SchedulesRepository, { strict: false }), 'due');
      due.mockResolvedValueOnce(['a', 'b'].map((id) => ({ id }) as Schedule));
      const slow = Promise.withResolvers<null>();
      const fire = vi.spyOn(service.app.get(InstantFiring, { strict: false }), 'fire');
      fire.mockRejectedValueOnce(new Error('The database is away.')).mockReturnValueOnce(slow.promise);
      runner.changed();
      await until('both starts', () => fire.mock.calls.length === 2);
      let hasStopped = false;
      const stop = runner.beforeApplicationShutdown().then(() => (hasStopped = true));
      for (let turn = 0; turn < 50; turn += 1) await endOfTurn();
      expect(hasStopped).toBe(false);
      slow.resolve(null);
      await stop;
    } finally {
      await service.stop();
    }
  });
});
