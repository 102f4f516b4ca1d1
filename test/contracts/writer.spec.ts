import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import Database from 'better-sqlite3';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { insertShape, updateShape, type Writer } from '../../src/storage/index.js';
import { openDataSource, dataSourceOptions } from '../../src/database/index.js';
import { newId } from '../../src/platform/index.js';
import { writerOf } from '../../src/storage/storage.module.js';
import { SqliteWriter } from '../../src/storage/writer/sqlite.writer.js';
import type { DataSource } from 'typeorm';
import { databaseKinds, type TestDatabase } from '../support/database.js';
import { until } from '../support/until.js';
import { Wire } from '../support/wire.js';
import { CounterEntity, writerContract } from './writer.contract.js';

// Silences the logger, because the writer logs the errors of `afterCommit` callbacks.
Logger.overrideLogger(false);

const INSERT = insertShape('counters', { id: 'uuid', n: 'bigint' });
const INSERT_IN_ORDER = insertShape(
  'counters',
  { id: 'uuid', n: 'bigint' },
  { column: 'position', key: ['id'] },
);
const ADVANCE = updateShape('counters', { n: 'bigint' }, { id: 'uuid', n: 'bigint' });
class GuardLost extends Error {}

for (const kind of await databaseKinds())
  describe(`the writer of ${kind.name}`, () => {
    let database: TestDatabase;
    let dataSource: DataSource;
    let writer: Writer;

    beforeAll(async () => {
      database = await kind.create([CounterEntity]);
      dataSource = await openDataSource(dataSourceOptions(database.settings, [CounterEntity], []), false);
      writer = writerOf(dataSource);
    });

    afterAll(async () => {
      await writer.close();
      await dataSource.destroy();
      await database.drop();
    });

    writerContract(() => ({
      writer,
      query: (sql) => dataSource.query(sql),
      mark: (index) => (kind.name === 'postgres' ? `$${index}` : '?'),
    }));
  });

it('the SQLite writer commits pending units of work before it closes, and rejects units of work after it is closed', async () => {
  const [sqlite] = await databaseKinds();
  const database = await sqlite!.create([CounterEntity]);
  const dataSource = await openDataSource(dataSourceOptions(database.settings, [CounterEntity], []), false);
  const writer = writerOf(dataSource);
  const insert = (): Promise<void> => writer.commit({ writes: [{ shape: INSERT, row: [newId(), 0] }] });
  const before = insert();
  const closing = writer.close();
  await expect(insert()).rejects.toThrow('closed');
  await before;
  await closing;
  expect(await dataSource.query('SELECT count(*) AS n FROM counters')).toEqual([{ n: 1 }]);
  await dataSource.destroy();
  await database.drop();
});

it('the SQLite writer rejects only the unit of work that cannot be sent to its thread', async () => {
  const [sqlite] = await databaseKinds();
  const database = await sqlite!.create([CounterEntity]);
  const dataSource = await openDataSource(dataSourceOptions(database.settings, [CounterEntity], []), false);
  const writer = writerOf(dataSource);
  const ids = Array.from({ length: 50 }, newId);
  const outcomes: Promise<void>[] = [];
  for (const id of ids) {
    outcomes.push(writer.commit({ writes: [{ shape: INSERT, row: [id, 0] }] }));
    // This pause lets the writer send the first unit of work to its thread before the next unit of work arrives.
    await nextTurn();
    const sql = 'INSERT INTO counters (id, n) VALUES (?, 0)';
    await expect(writer.commit({ writes: [{ sql, parameters: [Symbol('none')] }] })).rejects.toThrow(
      'cloned',
    );
  }
  await Promise.all(outcomes);
  const rows = await dataSource.query<{ id: string }[]>('SELECT id FROM counters ORDER BY position');
  expect(rows.map(({ id }) => id)).toEqual(ids);
  await writer.close();
  await dataSource.destroy();
  await database.drop();
});

it('the SQLite writer returns free space of the file to the file system while it continues to commit', async () => {
  const [sqlite] = await databaseKinds();
  const database = await sqlite!.create([CounterEntity]);
  const { path } = database.settings as { readonly path: string };
  const dataSource = await openDataSource(dataSourceOptions(database.settings, [CounterEntity], []), false);
  const writer = new SqliteWriter(path);
  const write = (sql: string, ...parameters: unknown[]): Promise<void> =>
    writer.commit({ writes: [{ sql, parameters }] });
  const pages = async (): Promise<number> => {
    const [row] = await dataSource.query<{ page_count: number }[]>('PRAGMA page_count');
    return row?.page_count ?? 0;
  };
  for (let n = 0; n < 40; n += 1)
    await write('INSERT INTO counters (id, n, note) VALUES (?, 0, ?)', newId(), 'x'.repeat(100_000));
  await write('DELETE FROM counters');
  // Simulates another process that holds the write lock. The main thread, which serves clients, must not wait for this
  // lock.
  const other = new Database(path);
  other.exec('BEGIN IMMEDIATE');
  let answered = false;
  const begun = writer.vacuum().finally(() => (answered = true));
  await pause(100);
  expect(answered).toBe(false);
  other.exec('ROLLBACK');
  other.close();
  let left = await begun;
  expect(left).toBeGreaterThan(2_000_000);
  const full = await pages();
  // Runs each vacuum step together with a commit, because the writer must accept commits while it vacuums.
  while (left > 0)
    [left] = await Promise.all([
      writer.vacuum(),
      write('INSERT INTO counters (id, n) VALUES (?, 0)', newId()),
    ]);
  expect(await pages()).toBeLessThan(full / 4);
  const last = writer.vacuum();
  await writer.close();
  expect(await last).toBe(0);
  await expect(writer.vacuum()).rejects.toThrow('closed');
  await dataSource.destroy();
  await database.drop();
});

const postgres = (await databaseKinds()).find(({ name }) => name === 'postgres');

describe.skipIf(postgres === undefined)('the PostgreSQL writer while its server is unreachable', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let writer: Writer;
  let wire: Wire;
  const insert = (id: string): Promise<void> => writer.commit({ writes: [{ shape: INSERT, row: [id, 0] }] });
  const exists = async (id: string): Promise<boolean> =>
    (await dataSource.query<unknown[]>(`SELECT 1 FROM counters WHERE id = '${id}'`)).length > 0;

  beforeAll(async () => {
    if (postgres === undefined) return;
    database = await postgres.create([CounterEntity]);
    wire = await Wire.to(database.settings);
    dataSource = await openDataSource(dataSourceOptions(wire.settings, [CounterEntity], []), false);
    writer = writerOf(dataSource);
  });

  afterAll(async () => {
    await dataSource?.destroy();
    await wire?.close();
    await database?.drop();
  });

  it('the PostgreSQL writer rejects units of work while disconnected, and commits again after a reconnect', async () => {
    await insert(newId());
    wire.cut();
    const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => insert(newId())));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toEqual([]);
    wire.mend();
    const id = newId();
    await insert(id);
    expect(await exists(id)).toBe(true);
  });

  it('the PostgreSQL writer recovers if its connection closes right after the server reports it as ready', async () => {
    for (const use of [() => dataSource.query('SELECT 1'), () => insert(newId())]) {
      wire.drop();
      await pause(50);
      wire.partWhenReady();
      await expect(use()).rejects.toThrow();
      const id = newId();
      await insert(id);
      expect(await exists(id)).toBe(true);
    }
  });

  it('the PostgreSQL writer commits small units of work in one round trip, even after a failed commit', async () => {
    const ids = Array.from({ length: 10 }, newId);
    const commit = (of: readonly string[]): Promise<unknown> =>
      Promise.all(
        of.map((id) =>
          writer.commit({
            writes: [
              { shape: INSERT_IN_ORDER, row: [id, 0] },
              { shape: ADVANCE, row: [1, id, 0], orFail: () => new GuardLost() },
            ],
          }),
        ),
      );
    await dataSource.query('SELECT 1');
    const query = vi.spyOn(Client.prototype, 'query');
    const queries = async (work: () => Promise<unknown>): Promise<number> => {
      query.mockClear();
      await work();
      return query.mock.calls.length;
    };
    expect(await queries(() => commit(ids))).toBe(1);
    const refused = writer.commit({
      writes: [{ shape: ADVANCE, row: [3, ids[0] ?? '', 2], orFail: () => new GuardLost() }],
    });
    await expect(refused).rejects.toThrow(GuardLost);
    // This commit runs on a new connection, and fails before all its statements are sent. The next commit
    // must nevertheless take one round trip.
    wire.drop();
    await pause(50);
    await expect(commit(ids.slice(0, 1))).rejects.toThrow('duplicate key');
    expect(await queries(() => commit([newId()]))).toBe(1);
    // These 500 units of work are too large for one write to the socket, so the writer sends them in two round trips.
    const writesOf = (rows: number) =>
      Array.from({ length: rows }, () => ({ shape: INSERT, row: [newId(), 0] }));
    const many = (): Promise<unknown> =>
      Promise.all(Array.from({ length: 500 }, () => writer.commit({ writes: writesOf(4) })));
    expect(await queries(many)).toBe(2);
    // This unit of work is too large for one write to the socket, so the writer sends it statement by statement.
    expect(await queries(() => writer.commit({ writes: writesOf(2_000) }))).toBe(3);
    query.mockRestore();
    const rows = await dataSource.query<{ n: string }[]>('SELECT n FROM counters WHERE id = ANY($1)', [ids]);
    expect(rows.map(({ n }) => Number(n))).toEqual(ids.map(() => 1));
  });

  it('the PostgreSQL writer uses generic plans, so each statement is planned once per connection', async () => {
    wire.drop();
    await pause(50);
    const id = newId();
    await insert(id);
    for (let n = 0; n < 3; n += 1)
      await writer.commit({
        writes: [{ shape: ADVANCE, row: [n + 1, id, n], orFail: () => new GuardLost() }],
      });
    const plans = await dataSource.query<{ generic: string; custom: string }[]>(
      "SELECT generic_plans AS generic, custom_plans AS custom FROM pg_prepared_statements WHERE statement LIKE '%counters%' ORDER BY prepare_time",
    );
    expect(plans).toEqual([
      { generic: '1', custom: '0' },
      { generic: '3', custom: '0' },
    ]);
  });

  it.each([
    ['in one packet', 'UPDATE counters', {}],
    ['statement by statement', 'COMMIT', { orFail: () => new GuardLost() }],
  ] as const)(
    'the PostgreSQL writer does not repeat a commit whose reply was lost (the commit was sent %s)',
    async (_, last, guard) => {
      const ids = Array.from({ length: 5 }, newId);
      await Promise.all(ids.map(insert));
      // The server receives the whole commit, but the writer does not receive the reply.
      wire.deafAfter(last);
      const outcomes = Promise.allSettled(
        ids.map((id) =>
          writer.commit({
            writes: [{ sql: 'UPDATE counters SET n = n + 1 WHERE id = $1', parameters: [id], ...guard }],
          }),
        ),
      );
      await pause(200);
      wire.mend();
      wire.drop();
      expect((await outcomes).map(({ status }) => status)).toEqual(ids.map(() => 'rejected'));
      const rows = await dataSource.query<{ n: string }[]>('SELECT n FROM counters WHERE id = ANY($1)', [
        ids,
      ]);
      expect(rows.map(({ n }) => Number(n))).toEqual(ids.map(() => 1));
    },
  );

  it('the PostgreSQL writer retries a unit of work that a deadlock rolled back', async () => {
    const [first, second] = [newId(), newId()];
    await Promise.all([insert(first), insert(second)]);
    const raise = 'UPDATE counters SET n = n + 1 WHERE id = $1';
    const other = dataSource.createQueryRunner();
    await other.query('BEGIN');
    // With a `deadlock_timeout` of 1 hour, this connection detects no deadlock. The connection of the writer
    // detects the deadlock, so PostgreSQL rolls back the transaction of the writer.
    await other.query("SET LOCAL deadlock_timeout = '1h'");
    await other.query(raise, [second]);
    const unit = writer.commit({
      writes: [first, second].map((id) => ({ sql: raise, parameters: [id] })),
    });
    await until(
      'the unit that waits for the lock of the other transaction',
      async () => (await dataSource.query<unknown[]>('SELECT 1 FROM pg_locks WHERE NOT granted')).length > 0,
    );
    await other.query(raise, [first]);
    await other.query('COMMIT');
    await other.release();
    await unit;
    const rows = await dataSource.query<{ n: string }[]>('SELECT n FROM counters WHERE id = ANY($1)', [
      [first, second],
    ]);
    expect(rows.map(({ n }) => Number(n))).toEqual([2, 2]);
  });
});
