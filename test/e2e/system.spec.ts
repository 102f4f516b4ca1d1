import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds, type TestDatabase } from '../support/database.js';
import { ExecutionCalls } from '../support/execution-views.js';
import { newPerson } from '../support/people.js';
import { TestService } from '../support/service.js';

interface SystemView {
  readonly measured_at: string;
  readonly processes: readonly {
    readonly id: string;
    readonly pid: number;
    readonly role: string;
    readonly executions_held: number;
    readonly load: number | null;
  }[];
  readonly queue: { readonly runnable: number; readonly sleeping: number; readonly oldest_seconds: number };
  readonly commits: { readonly process_id: string; readonly count: number; readonly p95_ms: number | null };
  readonly database: {
    readonly kind: string;
    readonly size_bytes: number;
    readonly tables: readonly { readonly name: string; readonly size_bytes: number }[] | null;
  };
}

describe.each(await databaseKinds())('GET /v1/system on $name', (kind) => {
  let database: TestDatabase;
  let service: TestService;

  beforeAll(async () => {
    database = await kind.create();
    service = await TestService.start({ database: database.settings });
    const calls = new ExecutionCalls(service);
    const { id } = await calls.start(
      await calls.workflow([{ id: 'a', type: 'delay', with: { seconds: 100 } }]),
    );
    await calls.until(id, ({ status }) => status === 'waiting');
  }, 60_000);

  afterAll(async () => {
    await service.stop();
    await database.drop();
  }, 60_000);

  it('shows processes, queue, commits and the size of the database', async () => {
    const { status, body } = await service.get<SystemView>('/v1/system');
    expect(status).toBe(200);
    expect(body.processes).toMatchObject([{ pid: process.pid, role: 'all', executions_held: 0, load: 0 }]);
    expect(body.queue).toEqual({ runnable: 0, sleeping: 1, oldest_seconds: 0 });
    expect(body.commits.process_id).toBe(body.processes[0]?.id);
    expect(body.commits.count).toBeGreaterThan(0);
    expect(body.commits.p95_ms).toBeGreaterThan(0);
    expect(body.database.kind).toBe(kind.name);
    const { size_bytes: size, tables } = body.database;
    expect(tables?.map(({ name }) => name)).toContain('executions');
    const sizes = tables?.map(({ size_bytes }) => size_bytes) ?? [];
    expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
    expect(sizes.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThanOrEqual(size);
  });

  it('is refused to members who are no admins', async () => {
    const { key } = await newPerson(service, 'member');
    expect(await service.get('/v1/system', { key })).toMatchObject({ status: 403 });
  });
});
