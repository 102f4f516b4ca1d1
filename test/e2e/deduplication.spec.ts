import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/expressions/index.js';
import { databaseKinds, type TestDatabase } from '../support/database.js';
import { ExecutionCalls, type ExecutionView } from '../support/execution-views.js';
import { startSecond } from '../support/second-process.js';
import { type TestAnswer, TestService } from '../support/service.js';

const NAP = [{ id: 'nap', type: 'delay', with: { seconds: 600 } }];

describe.each(await databaseKinds())('deduplicated starts on $name', ({ create, name }) => {
  let database: TestDatabase;
  let service: TestService;
  let calls: ExecutionCalls;

  beforeAll(async () => {
    database = await create();
    service = await TestService.start({ database: database.settings });
    calls = new ExecutionCalls(service);
  });
  afterAll(async () => {
    await service?.stop();
    await database?.drop();
  });

  const start = (
    workflow: string,
    deduplication: JsonObject,
    more: JsonObject = {},
    headers: Readonly<Record<string, string>> = {},
  ): Promise<TestAnswer<ExecutionView>> =>
    service.post(`/v1/workflows/${workflow}/executions`, { deduplication, ...more }, { headers });

  it('by default, a start request with the deduplication key of an unfinished execution returns this execution', async () => {
    const workflow = await calls.workflow(NAP);
    const first = await start(workflow, { key: 'a' }, { input: 'x'.repeat(20_000) });
    await calls.until(first.body.id, ({ status }) => status === 'waiting');
    const second = await start(workflow, { key: 'a' }, { input: 2 });
    expect([first.status, second.status]).toEqual([201, 200]);
    expect(JSON.stringify(second.body) === JSON.stringify(await calls.read(first.body.id))).toBe(true);
    expect(second.body.input).toHaveLength(20_000);
    expect(second.headers.get('location')).toBe(`/v1/executions/${first.body.id}`);
    const explicit = await start(workflow, { key: 'a', on_conflict: 'return_existing' });
    expect([explicit.status, explicit.body.id]).toEqual([200, first.body.id]);
  });

  it('a deduplication key applies to one workflow, and only until the execution with the key has ended', async () => {
    const [workflow, other] = [await calls.workflow(NAP), await calls.workflow(NAP)];
    const first = await start(workflow, { key: 'a' });
    expect((await start(workflow, { key: 'b' })).status).toBe(201);
    expect((await start(other, { key: 'a' })).status).toBe(201);
    await service.post(`/v1/executions/${first.body.id}/cancel`);
    const second = await start(workflow, { key: 'a' });
    expect(second.status).toBe(201);
    expect((await start(workflow, { key: 'a' })).body.id).toBe(second.body.id);
  });

  it('a duplicate start request returns the unfinished execution, even if a new execution would end immediately', async () => {
    const workflow = await calls.workflow([{ ...NAP[0], if: 'input' }]);
    const first = await start(workflow, { key: 'a' }, { input: true });
    const second = await start(workflow, { key: 'a' }, { input: false });
    expect([second.status, second.body.id]).toEqual([200, first.body.id]);
  });

  it("a duplicate start request with on_conflict `fail` is rejected with the unfinished execution's id", async () => {
    const workflow = await calls.workflow(NAP);
    const first = await start(workflow, { key: 'a', on_conflict: 'fail' });
    const second = await start(workflow, { key: 'a', on_conflict: 'fail' });
    expect([first.status, second.status, second.error.code]).toEqual([201, 409, 'duplicate_execution']);
    expect(second.error.details).toEqual({ execution_id: first.body.id });
  });

  it('a duplicate start request with on_conflict `cancel_existing` replaces the unfinished execution', async () => {
    const workflow = await calls.workflow(NAP);
    const first = await start(workflow, { key: 'a' });
    const second = await start(workflow, { key: 'a', on_conflict: 'cancel_existing' });
    expect([second.status, (await calls.read(first.body.id)).status]).toEqual([201, 'cancelled']);
    expect((await calls.read(second.body.id)).status).not.toBe('cancelled');
  });

  it('a start request with a repeated Idempotency-Key gets the first response, even after the returned execution has ended', async () => {
    const workflow = await calls.workflow(NAP);
    const first = await start(workflow, { key: 'a' });
    const key = { 'idempotency-key': `dedup-${workflow}` };
    const found = await start(workflow, { key: 'a' }, {}, key);
    await service.post(`/v1/executions/${first.body.id}/cancel`);
    const again = await start(workflow, { key: 'a' }, {}, key);
    expect([found.status, again.status, again.body.id]).toEqual([200, 200, first.body.id]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });

  it('a duplicate start request with ?wait waits for the end of the unfinished execution', async () => {
    const workflow = await calls.workflow([{ id: 'nap', type: 'delay', with: { seconds: 0.4 } }]);
    const first = await start(workflow, { key: 'a' });
    const second = await service.post<ExecutionView>(`/v1/workflows/${workflow}/executions?wait=10`, {
      deduplication: { key: 'a' },
    });
    expect([second.status, second.body.id, second.body.status]).toEqual([200, first.body.id, 'completed']);
  });

  it.each([
    [{}, 'deduplication.key'],
    [{ key: '' }, 'deduplication.key'],
    [{ key: 'x'.repeat(256) }, 'deduplication.key'],
    [{ key: 'a', on_conflict: 'ignore' }, 'deduplication.on_conflict'],
    [{ key: 'a', more: 1 }, 'deduplication.more'],
  ])(
    'the service rejects a start request with the invalid deduplication settings %j',
    async (deduplication, field) => {
      const answer = await start(await calls.workflow([]), deduplication);
      expect([answer.status, answer.error.details?.['field']]).toEqual([400, field]);
    },
  );

  it.each(['return_existing', 'fail', 'cancel_existing'])(
    'concurrent start requests with the same deduplication key and on_conflict %s leave one unfinished execution',
    async (on_conflict) => {
      const workflow = await calls.workflow(NAP);
      const second = name === 'postgres' ? await startSecond(database.settings) : null;
      const urls = [service.baseUrl, second?.url ?? service.baseUrl];
      try {
        const answers = await Promise.all(
          Array.from({ length: 12 }, async (_, index) => {
            const response = await fetch(`${urls[index % 2]}/v1/workflows/${workflow}/executions`, {
              method: 'POST',
              headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
              body: JSON.stringify({ deduplication: { key: 'race', on_conflict } }),
            });
            return { status: response.status, body: (await response.json()) as { id?: string } };
          }),
        );
        const made = answers.filter(({ status }) => status === 201);
        const rest = answers.filter(({ status }) => status !== 201).map(({ status }) => status);
        const { body } = await service.get<{ data: readonly ExecutionView[] }>(
          `/v1/workflows/${workflow}/executions?status=queued&status=running&status=waiting`,
        );
        expect(body.data).toHaveLength(1);
        if (on_conflict === 'cancel_existing') expect(rest.filter((status) => status !== 409)).toEqual([]);
        else {
          expect(made).toHaveLength(1);
          expect(new Set(rest)).toEqual(new Set([on_conflict === 'fail' ? 409 : 200]));
        }
      } finally {
        await second?.close();
      }
    },
  );
});
