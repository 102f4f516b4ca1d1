import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds, type TestDatabase } from '../support/database.js';
import { ExecutionCalls, type ExecutionView } from '../support/execution-views.js';
import { TestService } from '../support/service.js';

interface StatsView {
  readonly ended: object;
  readonly success_rate: number | null;
  readonly duration_ms: { readonly p50: number | null; readonly p95: number | null };
  readonly active: { readonly total: number; readonly waiting: number };
  readonly series: readonly { readonly at: string; readonly completed: number; readonly failed: number }[];
  readonly sampled: boolean;
}

for (const kind of await databaseKinds())
  describe(`execution statistics on ${kind.name}`, () => {
    let database: TestDatabase;
    let service: TestService;
    let calls: ExecutionCalls;
    let good: string;
    let bad: string;
    let runs: ExecutionView[];

    beforeAll(async () => {
      database = await kind.create();
      service = await TestService.start({ database: database.settings });
      calls = new ExecutionCalls(service);
      good = await calls.workflow([{ id: 'a', type: 'set', with: { value: 'x'.repeat(20_000) } }]);
      bad = await calls.workflow([{ id: 'a', type: 'fail', with: { message: 'No.' } }]);
      const sleeping = await calls.workflow([{ id: 'a', type: 'delay', with: { seconds: 100 } }]);
      runs = [];
      for (let n = 0; n < 3; n += 1) runs.push(await calls.start(good, {}, '?wait=60'));
      await calls.start(bad, {}, '?wait=60');
      await calls.start(sleeping);
    });

    afterAll(async () => {
      await service?.stop();
      await database?.drop();
    });

    it('execution statistics contain the ended executions of each hour and the unfinished executions', async () => {
      const { status, body } = await service.get<StatsView>('/v1/executions/stats');
      expect(status).toBe(200);
      expect(body.ended).toEqual({ completed: 3, failed: 1, cancelled: 0, timed_out: 0 });
      expect(body.success_rate).toBe(0.75);
      expect(body.duration_ms.p95).toBeGreaterThanOrEqual(body.duration_ms.p50 ?? NaN);
      expect(body.active.total).toBe(1);
      expect(body.sampled).toBe(false);
      expect(body.series).toHaveLength(24);
      const hours = body.series.map(({ at }) => Date.parse(at));
      expect(hours.every((at, index) => index === 0 || at - (hours[index - 1] ?? 0) === 3_600_000)).toBe(
        true,
      );
      const sums = body.series.reduce(
        (sum, hour) => [(sum[0] ?? 0) + hour.completed, (sum[1] ?? 0) + hour.failed],
        [0, 0],
      );
      expect(sums).toEqual([3, 1]);
      const week = await service.get<StatsView>('/v1/executions/stats?window=7d');
      expect(week.body.series).toHaveLength(168);
    });

    it('execution statistics can be filtered by workflow or project', async () => {
      const of = async (query: string) =>
        (await service.get<StatsView>(`/v1/executions/stats?${query}`)).body;
      expect(await of(`workflow_id=${bad}`)).toMatchObject({
        ended: { completed: 0, failed: 1 },
        success_rate: 0,
        active: { total: 0 },
      });
      const other = await service.newProject();
      expect(await of(`project_id=${other.id}`)).toMatchObject({
        ended: { completed: 0, failed: 0 },
        success_rate: null,
        duration_ms: { p50: null, p95: null },
        active: { total: 0 },
      });
      expect((await of(`project_id=${service.project.id}`)).active.total).toBe(1);
    });

    it('a request for execution statistics with an unknown parameter or an invalid value returns 400', async () => {
      for (const query of ['window=1h', 'project_id=x', 'workflow_id=x', 'since=1'])
        expect((await service.get(`/v1/executions/stats?${query}`)).status).toBe(400);
      expect((await service.get('/v1/executions/stats/workflows')).status).toBe(400);
      expect((await service.get('/v1/executions/stats/workflows?workflow_id=x')).status).toBe(400);
    });

    it('one statistics request returns the latest executions and the success rates of several workflows', async () => {
      const none = await calls.workflow([]);
      const query = [good, bad, none].map((id) => `workflow_id=${id}`).join('&');
      const { body } = await service.get<{
        data: readonly {
          readonly workflow_id: string;
          readonly success_rate: number;
          readonly runs: readonly { readonly id: string; readonly status: string }[];
        }[];
      }>(`/v1/executions/stats/workflows?${query}`);
      const of = (id: string) => body.data.find(({ workflow_id }) => workflow_id === id);
      expect(of(good)?.runs.map(({ id }) => id)).toEqual(runs.map(({ id }) => id).toReversed());
      expect(of(good)?.success_rate).toBe(1);
      expect(of(bad)).toMatchObject({ success_rate: 0, runs: [{ status: 'failed' }] });
      expect(of(none)).toBeUndefined();
      const one = await service.get<{ data: readonly unknown[] }>(
        `/v1/executions/stats/workflows?workflow_id=${good}`,
      );
      expect(one.body.data).toHaveLength(1);
    });

    it('execution statistics do not count executions of other teams', async () => {
      const { key } = await service.newStranger();
      expect((await service.get<StatsView>('/v1/executions/stats', { key })).body.active.total).toBe(0);
      const foreign = await service.get<{ data: readonly unknown[] }>(
        `/v1/executions/stats/workflows?workflow_id=${good}`,
        { key },
      );
      expect(foreign.body.data).toEqual([]);
      expect(
        (await service.get(`/v1/executions/stats?project_id=${service.project.id}`, { key })).status,
      ).toBe(403);
      expect((await service.get(`/v1/projects/${service.project.id}/usage`, { key })).status).toBe(403);
    });

    it('GET /v1/projects/{id}/usage returns stored bytes that are measured at most once a minute', async () => {
      const path = `/v1/projects/${service.project.id}/usage`;
      const { body } = await service.get<Readonly<Record<string, number | string | boolean>>>(path);
      expect(body).toMatchObject({ executions: 5, estimated: false, results_bytes: 0 });
      expect(body['events']).toBeGreaterThan(15);
      expect(body['journal_bytes']).toBeGreaterThan(1_000);
      expect(body['payload_bytes']).toBeGreaterThan(60_000);
      await calls.start(good, {}, '?wait=60');
      expect((await service.get(path)).body).toEqual(body);
    });
  });
