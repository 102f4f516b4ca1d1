import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import type { DataSource } from 'typeorm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ExecutionFilter } from '../../src/execution-store/execution-conditions.js';
import { ExecutionListRepository } from '../../src/executions/execution-list.repository.js';
import { ExecutionCountRepository } from '../../src/execution-totals/execution-count.repository.js';
import { type FeedFilter, START } from '../../src/journal/index.js';
import { dataSourceOptions, openDataSource } from '../../src/database/index.js';
import { FIRST, insertShape, type SlowQueryRunner, type Writer } from '../../src/storage/index.js';
import { slowQueryRunnerOf, writerOf } from '../../src/storage/storage.module.js';
import { newId } from '../../src/platform/index.js';
import { SqliteSlowQueryRunner } from '../../src/storage/queries/sqlite.slow-query-runner.ts';
import { databaseKinds, type TestDatabase } from '../support/database.js';
import { ExecutionStore, newExecution, queued } from '../support/execution-store.js';
import { CounterEntity } from './writer.contract.js';

const INSERT = insertShape('counters', { id: 'uuid', n: 'bigint' });
const COUNT = 'SELECT count(*) AS n FROM counters WHERE n > ?';

/** A query that counts to 3,000,000, and is therefore slow on any machine. */
const LONG = `WITH RECURSIVE many(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM many WHERE i < 3000000)
  SELECT max(i) AS n FROM many WHERE i > ?`;

for (const kind of await databaseKinds())
  describe(`slow queries on ${kind.name}`, () => {
    let database: TestDatabase;
    let dataSource: DataSource;
    let writer: Writer;
    let reads: SlowQueryRunner;

    beforeEach(async () => {
      database = await kind.create([CounterEntity]);
      dataSource = await openDataSource(dataSourceOptions(database.settings, [CounterEntity], []), false);
      writer = writerOf(dataSource);
      reads = slowQueryRunnerOf(dataSource);
    });

    afterEach(async () => {
      await reads.close();
      await writer.close();
      await dataSource.destroy();
      await database.drop();
    });

    const insert = (n: number): Promise<void> =>
      writer.commit({ writes: [{ shape: INSERT, row: [newId(), n] }] });
    const numbers = async (sql: string, ...parameters: readonly unknown[]): Promise<readonly number[]> => {
      const rows = await reads.rows<{ readonly n: number | string }>(sql, parameters);
      return rows.map(({ n }) => Number(n));
    };

    it('a slow query sees each commit that was acknowledged before the query', async () => {
      for (let n = 1; n <= 20; n += 1) {
        await insert(n);
        expect(await numbers(COUNT, 0)).toEqual([n]);
      }
      expect(await numbers('SELECT n FROM counters WHERE n IN (?, ?) ORDER BY n', 3, 17)).toEqual([3, 17]);
    });

    it('a slow query does not block faster queries and writes', async () => {
      await insert(1);
      let ended = false;
      const long = numbers(LONG, 0).finally(() => (ended = true));
      await insert(2);
      expect(await dataSource.query('SELECT n FROM counters ORDER BY n')).toHaveLength(2);
      for (let turns = 0; turns < 10; turns += 1) await nextTurn();
      expect(ended).toBe(false);
      expect(await long).toEqual([3_000_000]);
    });

    it('each of several concurrent slow queries returns its own rows', async () => {
      await insert(5);
      const asked = Array.from({ length: 30 }, (_, index) => numbers(COUNT, index));
      expect((await Promise.all(asked)).flat()).toEqual(asked.map((_, index) => (index < 5 ? 1 : 0)));
    });

    it('an invalid slow query fails with the error of the database, and concurrent slow queries succeed', async () => {
      const [first, second, third] = await Promise.allSettled([
        numbers(COUNT, 0),
        numbers('SELECT n FROM nowhere'),
        numbers(COUNT, 0),
      ]);
      expect(first).toMatchObject({ value: [0] });
      expect(second).toMatchObject({ reason: { message: expect.stringContaining('nowhere') } });
      expect(third).toMatchObject({ value: [0] });
    });
  });

describe('slow queries on SQLite', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let path: string;
  const opened: SqliteSlowQueryRunner[] = [];

  const open = (file: string, idleMs?: number): SqliteSlowQueryRunner => {
    const reads = new SqliteSlowQueryRunner(file, idleMs);
    opened.push(reads);
    return reads;
  };

  beforeEach(async () => {
    const [sqlite] = await databaseKinds();
    database = await sqlite!.create([CounterEntity]);
    dataSource = await openDataSource(dataSourceOptions(database.settings, [CounterEntity], []), false);
    ({ path } = database.settings as Extract<TestDatabase['settings'], { readonly dialect: 'sqlite' }>);
  });

  afterEach(async () => {
    await Promise.all(opened.splice(0).map((reads) => reads.close()));
    await dataSource.destroy();
    await database.drop();
  });

  it('a slow query on SQLite cannot write', async () => {
    const reads = open(path);
    await expect(
      reads.rows("INSERT INTO counters (id, n) VALUES ('x', 1) RETURNING n", []),
    ).rejects.toMatchObject({ code: 'SQLITE_READONLY' });
  });

  it('the slow query runner rejects queries while its queue is full, and completes all queued queries', async () => {
    const reads = open(path);
    const asked = Array.from({ length: 80 }, () => reads.rows(COUNT, [0]));
    const outcomes = await Promise.allSettled(asked);
    const refused = outcomes.filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(15);
    for (const outcome of refused)
      expect(outcome).toMatchObject({
        reason: { name: 'SlowQueryRefusedError', message: expect.stringContaining('narrow') },
      });
    expect(await reads.rows(COUNT, [0])).toEqual([{ n: 0 }]);
  });

  it('the slow query runner runs queries of event feeds before queries of lists, and never rejects queries of event feeds', async () => {
    const reads = open(path);
    const order: string[] = [];
    const asked = (name: string, turn?: typeof FIRST): Promise<unknown> =>
      reads.rows(COUNT, [0], turn).then(() => order.push(name));
    const lists = Array.from({ length: 65 }, (_, index) => asked(`list ${index}`));
    const feeds = Array.from({ length: 100 }, (_, index) => asked(`feed ${index}`, FIRST));
    await expect(asked('one more')).rejects.toMatchObject({ name: 'SlowQueryRefusedError' });
    await Promise.all([...lists, ...feeds]);
    expect(order.slice(0, 102)).toEqual(['list 0', ...feeds.map((_, index) => `feed ${index}`), 'list 1']);
    expect(order).toHaveLength(165);
  });

  it('the slow query runner rejects each query if its thread cannot start', async () => {
    const reads = open((() => 'no path') as unknown as string);
    const outcomes = await Promise.allSettled([reads.rows(COUNT, [0]), reads.rows(COUNT, [0])]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  it('a process can exit although its slow query runner is not closed', async () => {
    const script = `
      import { SqliteSlowQueryRunner } from './dist/src/storage/queries/sqlite.slow-query-runner.js';
      const rows = await new SqliteSlowQueryRunner(process.argv[1]).rows('${COUNT}', [0]);
      process.stdout.write(JSON.stringify(rows));`;
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--input-type=module',
      '-e',
      script,
      path,
    ]);
    expect(JSON.parse(stdout)).toEqual([{ n: 0 }]);
  });

  it('the slow query runner stops its idle thread, and starts a new thread for the next query', async () => {
    const ended = vi.spyOn(Worker.prototype, 'terminate');
    const reads = open(path, 1);
    // The pauses of 0 to 5 ms make some queries arrive while the idle thread stops.
    for (let turns = 0; turns < 24; turns += 1) {
      expect(await reads.rows(COUNT, [0])).toEqual([{ n: 0 }]);
      await pause(turns % 6);
    }
    expect(ended).toHaveBeenCalled();
    ended.mockRestore();
  });

  it('the slow query runner rejects each query if the SQLite file cannot be opened', async () => {
    const reads = open(join(path, 'nowhere'));
    for (let turns = 0; turns < 2; turns += 1)
      await expect(reads.rows(COUNT, [0])).rejects.toMatchObject({ code: 'SQLITE_CANTOPEN' });
  });

  it('a closed slow query runner rejects all queries, including queued ones', async () => {
    const reads = open(path);
    const asked = [reads.rows(LONG, [0]), reads.rows(COUNT, [0])];
    const outcomes = Promise.allSettled(asked);
    await reads.close();
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(reads.rows(COUNT, [0])).rejects.toMatchObject({ name: 'SlowQueryRefusedError' });
  });
});

for (const kind of await databaseKinds())
  describe(`the use of slow queries on ${kind.name}`, () => {
    let database: TestDatabase;
    let store: ExecutionStore;
    let lists: ExecutionListRepository;
    const execution = newExecution({ sessionId: newId(), metadata: { customer: '42', region: 'eu' } });
    const { projectId, workflowId } = execution;
    const sessionId = execution.sessionId ?? '';
    const TIP = kind.name === 'sqlite' ? 5_000 : 5_000_000 * 1_024;
    const PAGE = { limit: 5, offset: 0, order: 'desc' } as const;

    beforeAll(async () => {
      database = await kind.create();
      store = await ExecutionStore.open(database.settings);
      const counts = new ExecutionCountRepository(store.dataSource, kind.name, store.slowQueries);
      lists = new ExecutionListRepository(store.dataSource, kind.name, counts, store.slowQueries);
      await store.executions.insert(execution, [queued(null, execution.metadata)], []);
      const { id } = await store.insert();
      for (let others = 0; others < 1_001; others += 1)
        await store.dataSource.query(
          `INSERT INTO execution_metadata (execution_id, project_id, key, value)
           VALUES ('${newId()}', '${projectId}', 'region', 'eu')`,
        );
      // Inserts a batch far from the first position of the journal. A feed from the start must then cross a long range
      // of positions.
      await store.dataSource.query(
        `INSERT INTO journal (position, id, execution_id, project_id, workflow_id, first_sequence, last_sequence, created_at, body)
         SELECT ${TIP}, '${newId()}', '${newId()}', project_id, workflow_id, 1, 1, created_at, body FROM journal
         WHERE execution_id = '${id}'`,
      );
    });

    afterAll(async () => {
      await store.close();
      await database.drop();
    });

    afterEach(() => {
      vi.restoreAllMocks();
    });

    const filters: readonly (readonly [string, Omit<ExecutionFilter, 'projectIds'>, number])[] = [
      ['nothing', {}, 0],
      ['a status', { statuses: ['queued'] }, 0],
      ['a workflow', { workflowId }, 0],
      ['a time', { createdAfter: '2020-01-01T00:00:00.000Z' }, 0],
      // The rows of the page need one slow query. The total number of rows comes from the stored totals.
      ['a trigger', { trigger: 'api' }, 1],
      ['a workflow and a status', { workflowId, statuses: ['queued'] }, 1],
      // The rows of the page and the total number need one slow query each, because the stored totals do not
      // cover this filter.
      ['a session and a status', { sessionId, statuses: ['queued'] }, 2],
      ['metadata of few executions', { metadata: new Map([['customer', '42']]) }, 0],
      ['metadata of many executions', { metadata: new Map([['region', 'eu']]) }, 2],
      ['executions that were not retried', { isNotRetried: true }, 2],
    ];
    it.each(filters)(
      'a list of executions uses the slow query runner only if the filter may be slow: filter by %s',
      async (_, filter, long) => {
        const rows = vi.spyOn(store.slowQueries, 'rows');
        const page = await lists.list({ ...filter, projectIds: [projectId] }, PAGE);
        expect([page.total, page.items.map(({ id }) => id)]).toEqual([1, [execution.id]]);
        expect(rows).toHaveBeenCalledTimes(long);
      },
    );

    const feeds: readonly (readonly [string, FeedFilter, number])[] = [
      ['one project', { projectIds: [projectId] }, 0],
      ['an execution', { projectIds: [projectId], executionId: execution.id }, 0],
      ['a session', { projectIds: [projectId], sessionId }, 0],
      ['a workflow', { projectIds: [projectId], workflowId }, 1],
      ['some projects', { projectIds: [projectId, newId()] }, 1],
    ];
    it.each(feeds)(
      'an event feed uses the slow query runner only if the filter may be slow: filter by %s',
      async (_, filter, long) => {
        const rows = vi.spyOn(store.slowQueries, 'rows');
        const batches = (await store.journalRepository.feed(filter, START, 5)).batches;
        expect(batches.map(({ executionId }) => executionId)).toEqual([execution.id]);
        expect(rows).toHaveBeenCalledTimes(long);
        for (const call of rows.mock.calls) expect(call[2]).toBe(FIRST);
      },
    );

    it.each(feeds)(
      'an event feed near the newest journal position never uses the slow query runner: filter by %s',
      async (_, filter) => {
        const rows = vi.spyOn(store.slowQueries, 'rows');
        expect(
          (await store.journalRepository.feed(filter, { position: TIP - 10, index: null }, 5)).batches,
        ).toEqual([]);
        expect(rows).not.toHaveBeenCalled();
      },
    );
  });
