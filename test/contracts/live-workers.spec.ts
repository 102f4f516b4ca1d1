import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EffectGuard, InstanceRegistry, InstanceRepository } from '../../src/instances/index.js';
import type { Settings } from '../../src/settings/index.js';
import { PostgresNotifications } from '../../src/storage/notifications/postgres-notifications.ts';
import { databaseKinds, type TestDatabase } from '../support/database.js';
import { ExecutionStore } from '../support/execution-store.js';

const postgres = (await databaseKinds()).find(({ name }) => name === 'postgres');

// The tests run only on PostgreSQL, because only one process at a time can use a SQLite file.
describe.runIf(postgres !== undefined)('the registry of processes', () => {
  let database: TestDatabase;
  let store: ExecutionStore;
  const closing: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    if (postgres === undefined) return;
    database = await postgres.create();
    store = await ExecutionStore.open(database.settings);
  });

  afterAll(async () => {
    for (const close of closing.toReversed()) await close();
    await store.close();
    await database.drop();
  });

  async function enter(role: Settings['ROLE']): Promise<InstanceRegistry> {
    const notices = new PostgresNotifications(
      database.settings.dialect === 'postgres' ? database.settings.url : '',
    );
    const repository = new InstanceRepository(store.dataSource, 'postgres', store.writer);
    const settings = { ROLE: role };
    const registry = new InstanceRegistry(repository, 'postgres', settings, new EffectGuard(), notices);
    closing.push(async () => {
      await registry.leave();
      await notices.close();
    });
    await registry.enter(async () => {});
    return registry;
  }

  it('a process learns before the next heartbeat that a worker process has started or ended', async () => {
    const api = await enter('api');
    const joined: string[] = [];
    api.onWorkerJoin((id) => joined.push(id));
    const [worker, all] = [await enter('worker'), await enter('all')];
    await enter('api');
    // The limit of 2 s is shorter than the 5 s until the next heartbeat, which would also detect new processes.
    const soon = { timeout: 2_000 };
    await expect.poll(() => api.otherWorkers.toSorted(), soon).toEqual([worker.id, all.id].toSorted());
    expect(joined.toSorted()).toEqual([worker.id, all.id].toSorted());
    await expect.poll(() => worker.otherWorkers, soon).toEqual([all.id]);
    await worker.leave();
    await expect.poll(() => api.otherWorkers, soon).toEqual([all.id]);
  });
});
