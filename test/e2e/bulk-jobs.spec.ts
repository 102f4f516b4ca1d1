import { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/expressions/index.js';
import { newId } from '../../src/platform/index.js';
import { AccessWorld } from '../support/access-world.js';
import { databaseKinds } from '../support/database.js';
import { ExecutionsWorld } from '../support/executions-world.js';
import { newPerson } from '../support/people.js';
import { until } from '../support/until.js';

interface Job {
  readonly id: string;
  readonly status: string;
  readonly status_reason: string | null;
  readonly filter: JsonObject;
  readonly total: number;
  readonly processed: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly failures: readonly {
    readonly code: string;
    readonly message: string;
    readonly count: number;
    readonly execution_ids: readonly string[];
  }[];
  readonly finished_at: string | null;
}

const WAITING: readonly JsonObject[] = [{ id: 'wait', type: 'wait', with: { signal: 'go' } }];
const BULK = '/v1/bulk-jobs';

describe.each(await databaseKinds())('bulk jobs on $name', (kind) => {
  let world: ExecutionsWorld;
  beforeAll(async () => {
    world = await ExecutionsWorld.on(kind);
  });
  afterAll(() => world?.end());

  const create = async (body: JsonObject): Promise<Job> => {
    const { status, body: job, headers } = await world.service.post<Job>(BULK, body);
    expect([status, headers.get('location')]).toEqual([202, `${BULK}/${job.id}`]);
    return job;
  };
  const read = async (id: string): Promise<Job> => (await world.service.get<Job>(`${BULK}/${id}`)).body;
  const ended = async (id: string): Promise<Job> => {
    let job = await read(id);
    await until('the end of the bulk job', async () => (job = await read(id)).status !== 'running');
    return job;
  };
  const started = async (workflow: string, count: number): Promise<readonly string[]> => {
    const executions = await Promise.all(
      Array.from({ length: count }, () => world.calls.start(workflow, {})),
    );
    return executions.map(({ id }) => id);
  };
  const statuses = async (ids: readonly string[]): Promise<readonly string[]> =>
    Promise.all(ids.map(async (id) => (await world.calls.read(id)).status));

  /** Stores a running bulk job that belongs to a dead process. @returns the id of the bulk job */
  const leftJob = async (own: Readonly<Record<string, string | number>>): Promise<string> => {
    const { admin } = world.service;
    const now = new Date().toISOString();
    const row = {
      id: newId(),
      team_id: admin.teamId,
      user_id: admin.userId,
      action: 'cancel',
      version: 'same',
      status: 'running',
      ...{ total: 0, processed: 0, succeeded: 0, failed: 0, failures: '[]', page: '[]' },
      owner: newId(),
      revision: 3,
      created_at: now,
      updated_at: now,
      ...own,
    };
    const marks = Object.keys(row).map((_, index) => (kind.name === 'postgres' ? `$${index + 1}` : '?'));
    await world.service.app
      .get(DataSource)
      .query(
        `INSERT INTO bulk_jobs (${Object.keys(row).join()}) VALUES (${marks.join()})`,
        Object.values(row),
      );
    return row.id;
  };

  it('a bulk job cancels every execution that matches its filter, and no other execution', async () => {
    const workflow = await world.calls.workflow(WAITING);
    const ids = await started(workflow, 230);
    const [other = ''] = await started(await world.calls.workflow(WAITING), 1);
    const job = await create({
      action: 'cancel',
      filter: { workflow_id: workflow },
      reason: 'Ordered twice.',
    });
    expect(job).toMatchObject({ status: 'running', total: 230 });
    expect(await ended(job.id)).toMatchObject({
      status: 'completed',
      total: 230,
      processed: 230,
      succeeded: 230,
      failed: 0,
      failures: [],
    });
    expect(new Set(await statuses(ids))).toEqual(new Set(['cancelled']));
    expect((await world.calls.read(ids[0] ?? '')).status_reason).toBe('Ordered twice.');
    expect((await world.calls.read(other)).status).not.toBe('cancelled');
  });

  it('a bulk job pauses all executions that match its filter, and a second bulk job resumes them', async () => {
    const workflow = await world.calls.workflow(WAITING);
    const ids = await started(workflow, 3);
    const paused = await ended((await create({ action: 'pause', filter: { workflow_id: workflow } })).id);
    expect([paused.succeeded, await statuses(ids)]).toEqual([3, ['paused', 'paused', 'paused']]);
    const resumed = await ended((await create({ action: 'resume', filter: { workflow_id: workflow } })).id);
    expect([resumed.succeeded, (await statuses(ids)).includes('paused')]).toEqual([3, false]);
  });

  it('a bulk job retries each failed execution once, and does not retry the executions that these retries create', async () => {
    const workflow = await world.calls.workflow([{ id: 'stop', type: 'fail', with: { message: 'No' } }]);
    for (const id of await started(workflow, 4)) await world.calls.ended(id);
    const job = await ended((await create({ action: 'retry', filter: { workflow_id: workflow } })).id);
    expect([job.total, job.succeeded, job.failed]).toEqual([4, 4, 0]);
    const { body } = await world.service.get<{ data: readonly { retry_of: string | null }[] }>(
      `/v1/workflows/${workflow}/executions?limit=100`,
    );
    expect(body.data.filter(({ retry_of }) => retry_of !== null)).toHaveLength(4);
  });

  it('a bulk job groups the executions that it could not retry by error code', async () => {
    const workflow = await world.calls.workflow([{ id: 'stop', type: 'fail', with: { message: 'No' } }]);
    const ids = await started(workflow, 3);
    for (const id of ids) await world.calls.ended(id);
    await world.service.patch(`/v1/workflows/${workflow}`, { status: 'paused' });
    const job = await ended((await create({ action: 'retry', filter: { workflow_id: workflow } })).id);
    expect(job).toMatchObject({
      status: 'completed',
      succeeded: 0,
      failed: 3,
      failures: [{ code: 'workflow_not_active', count: 3 }],
    });
    expect([...(job.failures[0]?.execution_ids ?? [])].sort()).toEqual([...ids].sort());
  });

  it('another process finishes the bulk job of a crashed process, and counts each execution once', async () => {
    const workflow = await world.calls.workflow(WAITING);
    const ids = [...(await started(workflow, 5))].sort();
    const filter = { workflow_id: workflow, created_before: new Date(Date.now() + 60_000).toISOString() };
    // Simulates a process that cancelled two of the three executions of a page, and crashed before storing the results.
    for (const id of ids.slice(0, 2)) await world.service.post(`/v1/executions/${id}/cancel`);
    const job = await leftJob({
      filter: JSON.stringify(filter),
      total: 5,
      page: JSON.stringify(ids.slice(0, 3)),
      after_id: ids[2] ?? '',
    });
    expect(await ended(job)).toMatchObject({ status: 'completed', total: 5, processed: 5, succeeded: 5 });
    expect(new Set(await statuses(ids))).toEqual(new Set(['cancelled']));
  });

  it('a bulk job stops if its creator may no longer change executions of the team', async () => {
    const workflow = await world.calls.workflow(WAITING);
    const [id = ''] = await started(workflow, 1);
    const person = await newPerson(world.service, 'viewer');
    const job = await leftJob({
      user_id: person.id,
      filter: JSON.stringify({ workflow_id: workflow }),
      page: JSON.stringify([id]),
    });
    expect(await ended(job)).toMatchObject({ status: 'stopped', processed: 0 });
    expect((await world.calls.read(id)).status).not.toBe('cancelled');
  });

  it('a running bulk job can be cancelled, but a completed bulk job cannot be cancelled', async () => {
    const workflow = await world.calls.workflow(WAITING);
    await started(workflow, 300);
    const { id } = await create({ action: 'pause', filter: { workflow_id: workflow } });
    const cancelled = await world.service.post<Job>(`${BULK}/${id}/cancel`);
    expect([cancelled.status, cancelled.body.status]).toEqual([200, 'cancelled']);
    expect((await world.service.post(`${BULK}/${id}/cancel`)).status).toBe(200);
    const done = await ended((await create({ action: 'cancel', filter: { workflow_id: workflow } })).id);
    expect((await world.service.post(`${BULK}/${done.id}/cancel`)).error.code).toBe('bulk_job_finished');
    const { body } = await world.service.get<{ data: readonly Job[] }>(BULK);
    expect(body.data.slice(0, 2).map((one) => one.id)).toEqual([done.id, id]);
  });

  it('two requests with the same idempotency key create one bulk job', async () => {
    const body = { action: 'cancel', filter: { workflow_id: await world.calls.workflow(WAITING) } };
    const headers = { 'idempotency-key': newId() };
    const first = await world.service.post<Job>(BULK, body, { headers });
    const second = await world.service.post<Job>(BULK, body, { headers });
    expect([second.body.id, second.headers.get('idempotent-replayed')]).toEqual([first.body.id, 'true']);
  });

  it('the service rejects a bulk job with an empty filter or an unknown action', async () => {
    expect((await world.service.post(BULK, { action: 'cancel', filter: {} })).error.details).toMatchObject({
      field: 'filter',
    });
    expect(
      (await world.service.post(BULK, { action: 'delete', filter: { status: ['failed'] } })).error.details,
    ).toMatchObject({ field: 'action' });
  });

  it('failed executions whose messages differ only in quoted texts and numbers form one failure group', async () => {
    const workflow = await world.calls.workflow([
      {
        id: 'charge',
        type: 'fail',
        with: { message: 'Card {{ input.card }} refused after {{ input.tries }} tries' },
      },
    ]);
    for (const input of [
      { card: '"4711"', tries: 3 },
      { card: '"12"', tries: 10 },
    ])
      await world.calls.start(workflow, { input }, '?wait=60');
    const { body } = await world.service.get<{
      readonly examined: number;
      readonly truncated: boolean;
      readonly groups: readonly JsonObject[];
    }>(`/v1/executions/failures?workflow_id=${workflow}&window=1h`);
    expect(body).toMatchObject({
      window: '1h',
      examined: 2,
      truncated: false,
      groups_total: 1,
      groups: [
        {
          workflow_id: workflow,
          node_id: 'charge',
          error_type: 'failed_by_workflow',
          shape: 'Card <text> refused after <number> tries',
          message: 'Card "12" refused after 10 tries',
          count: 2,
        },
      ],
    });
  });
});

describe('bulk jobs and access', () => {
  let world: AccessWorld;
  beforeAll(async () => {
    world = await AccessWorld.start();
  });
  afterAll(() => world?.stop());

  it('a bulk job contains only executions that the API key of its creator can access', async () => {
    const { executions = '' } = world.belongings;
    for (const key of [world.foreignKey, world.boundKey]) {
      const { status, body } = await world.service.post<Job>(
        BULK,
        { action: 'retry', filter: { ids: [executions] } },
        { key },
      );
      expect([status, body.total]).toEqual([202, 0]);
      const hidden = await world.service.get(`${BULK}/${body.id}`, { key: world.service.key });
      expect(hidden.status).toBe(key === world.foreignKey ? 403 : 200);
    }
  });
});
