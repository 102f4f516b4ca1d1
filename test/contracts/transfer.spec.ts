import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import Database from 'better-sqlite3';
import type { DataSource, EntityMetadata } from 'typeorm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runProgram } from '../../src/cli/program.js';
import type { DatabaseSettings } from '../../src/settings/index.js';
import { dataSourceOptions, openDataSource } from '../../src/database/index.js';
import { type Dialect } from '../../src/storage/index.js';
import { ENTITIES, MIGRATIONS } from '../../src/schema.js';
import { databaseKinds, databaseUrl, type TestDatabase } from '../support/database.js';

const kinds = await databaseKinds();
const kindOf = (name: Dialect) => kinds.find((kind) => kind.name === name);
const [sqlite, postgres] = [kindOf('sqlite'), kindOf('postgres')];

/** Number of rows in the large table, more than one batch of the transfer from SQLite to PostgreSQL. */
const ROWS = 2_100;
/** The only table with more than one batch of rows. The other tables have two rows each, which keeps the test short. */
const LARGE = 'journal';

const AWKWARD = 'a "b", {c}\\n \\u0000 \n\t é 😀 NULL \\x41';

describe.runIf(postgres !== undefined)('the transfer from SQLite to PostgreSQL', () => {
  let from: TestDatabase;
  let to: TestDatabase;
  let path: string;

  beforeEach(async () => {
    if (sqlite === undefined || postgres === undefined) return;
    [from, to] = [await sqlite.create(), await postgres.createEmpty()];
    path = from.settings.dialect === 'sqlite' ? from.settings.path : '';
    await withDatabase(from.settings, async (dataSource) => fill(dataSource));
  });

  afterEach(async () => {
    await from?.drop();
    await to?.drop();
  });

  async function move(
    words: readonly string[] = ['--from', path, '--to', databaseUrl(to.settings)],
    environment: Readonly<Record<string, string>> = {},
  ) {
    let [out, err] = ['', ''];
    const code = await runProgram(['migrate', ...words], {
      environment: () => environment,
      out: (text) => (out += text),
      err: (text) => (err += text),
    });
    return { code, out, err };
  }

  const edit = (sql: string, ...values: readonly unknown[]): void => {
    const database = new Database(path);
    database.prepare(sql).run(...values);
    database.close();
  };

  /** Counts the rows in each table of the target database. */
  const arrived = (): Promise<Readonly<Record<string, number>>> =>
    withDatabase(to.settings, async (dataSource) => {
      const counts: Record<string, number> = {};
      for (const { target, tableName } of dataSource.entityMetadatas)
        counts[tableName] = await dataSource.getRepository(target).count();
      return counts;
    });

  it('a transfer to PostgreSQL copies every row of every table, and leaves the SQLite file unchanged', async () => {
    const source = await rowsOf(from.settings);
    const before = digest(path);
    const moved = await move();
    expect(digest(path)).toBe(before);
    expect(moved).toMatchObject({
      code: 0,
      err: expect.stringMatching(/Do not start the service on it again/),
    });
    const target = await rowsOf(to.settings);
    const database = new Database(path);
    const tables = database
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
      .pluck()
      .all();
    database.close();
    // The transfer does not copy the tables in `filled`, because triggers of the target database fill them.
    // The test compares the columns that `filled` lists for each table.
    const filled = {
      execution_metadata: 'execution_id, project_id, key, value',
      list_counts: 'list_id, status, period, CAST(items AS text) AS items',
      secret_lists: 'project_id, CAST(secrets AS text) AS secrets',
    };
    expect(new Set([...source.keys(), 'migrations', ...Object.keys(filled)])).toEqual(new Set(tables));
    for (const [table, columns] of Object.entries(filled)) {
      const entries = (dataSource: DataSource): Promise<readonly object[]> =>
        dataSource.query(`SELECT ${columns} FROM ${table} ORDER BY 1, 2`);
      const made = await withDatabase(to.settings, entries);
      expect(made.length, table).toBeGreaterThanOrEqual(2);
      expect(made, table).toEqual(await withDatabase(from.settings, entries));
    }
    for (const [table, rows] of source) {
      expect(rows.length, table).toBe(table === LARGE ? ROWS : 2);
      expect(target.get(table), table).toEqual(rows);
    }
    const total = ROWS + 2 * (source.size - 1);
    expect(moved.out).toContain(`Moved ${total} rows of ${source.size} tables`);
    expect(moved.out).toMatch(/^moved  journal +2,100 rows/m);
  });

  it('a transfer to PostgreSQL continues sequences after their last value, even if the last rows were deleted', async () => {
    edit('DELETE FROM journal WHERE position > 10');
    edit('DELETE FROM execution_admissions');
    expect(await move()).toMatchObject({ code: 0 });
    const next = await withDatabase(to.settings, (dataSource) =>
      dataSource.query<{ journal: boolean; admissions: string }[]>(
        `SELECT journal_position() > ${ROWS} AS journal, nextval('execution_admissions_position_seq') AS admissions`,
      ),
    );
    expect(next).toEqual([{ journal: true, admissions: '3' }]);
  });

  it('a transfer with `--from sqlite` and `--to postgres` uses the databases that the settings name', async () => {
    const environment = { DATABASE_URL: databaseUrl(to.settings), DATA_DIR: '/nowhere' };
    expect(await move(['--from', 'sqlite', '--to', 'postgres'], environment)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^\/nowhere\/workflow\.sqlite cannot be read/),
    });
    expect(await move(['--from', `sqlite://${path}`, '--to', 'postgres'], environment)).toMatchObject({
      code: 0,
    });
  });

  it.each([
    [['--from', 'sqlite'], 2, /together/],
    [['up', '--from', 'sqlite', '--to', 'postgres'], 2, /without "up"/],
    [['--from', 'sqlite', '--to', 'postgres'], 1, /needs a PostgreSQL URL in DATABASE_URL/],
    [['--from', 'postgres://h/d', '--to', 'postgres://h/d'], 1, /--from must be/],
    [['--from', 'sqlite', '--to', 'sqlite'], 1, /--to must be/],
  ])('a transfer to PostgreSQL refuses the options %j', async (words, code, says) => {
    expect(await move(words)).toEqual({ code, out: '', err: expect.stringMatching(says) });
  });

  it('a transfer to PostgreSQL refuses a SQLite file that a running service uses', async () => {
    const now = new Date().toISOString();
    edit('DELETE FROM instances');
    edit(
      'INSERT INTO instances (id, host, pid, started_at, last_seen_at) VALUES (?, ?, ?, ?, ?)',
      uuid(0),
      hostname(),
      process.ppid,
      now,
      now,
    );
    expect(await move()).toEqual({
      code: 1,
      out: '',
      err: expect.stringMatching(/^A service \(process \d+ on .*\) is using .*Stop it first/),
    });
  });

  it('a transfer refuses a SQLite file that another process writes to, or whose schema is outdated', async () => {
    const writer = new Database(path);
    writer.exec('BEGIN IMMEDIATE');
    expect(await move()).toMatchObject({ code: 1, err: expect.stringMatching(/database is locked/) });
    writer.exec('ROLLBACK');
    writer.close();
    edit('DELETE FROM migrations WHERE id = (SELECT max(id) FROM migrations)');
    expect(await move()).toMatchObject({ code: 1, err: expect.stringMatching(/"migrate up"/) });
  });

  it('a transfer to PostgreSQL refuses a SQLite file with an unknown table', async () => {
    edit('CREATE TABLE forgotten (id integer)');
    expect(await move()).toMatchObject({ code: 1, err: expect.stringMatching(/tables .*: forgotten\./) });
  });

  it('a transfer refuses a PostgreSQL database that is not empty, and leaves that database unchanged', async () => {
    expect(await move()).toMatchObject({ code: 0 });
    const counts = await arrived();
    expect(await move()).toEqual({
      code: 1,
      out: '',
      err: expect.stringMatching(/^The target database is not empty \(.*journal 2100.*CREATE DATABASE/),
    });
    expect(await arrived()).toEqual(counts);
  });

  it('a transfer leaves the PostgreSQL database empty if the database rejects a row', async () => {
    edit(`UPDATE payloads SET body = 'a' || char(0) WHERE sequence = 1`);
    expect(await move()).toMatchObject({
      code: 1,
      err: expect.stringMatching(
        /^No data was transferred, because the table payloads could not be copied: /,
      ),
    });
    const counts = await arrived();
    expect(Object.keys(counts)).toHaveLength(ENTITIES.length);
    expect(Object.values(counts).filter((count) => count > 0)).toEqual([]);
    edit(`UPDATE payloads SET body = 'a'`);
    expect(await move()).toMatchObject({ code: 0 });
  });
});

async function withDatabase<T>(
  settings: DatabaseSettings,
  work: (dataSource: DataSource) => Promise<T>,
): Promise<T> {
  const migrate = settings.dialect === 'sqlite';
  const dataSource = await openDataSource(dataSourceOptions(settings, ENTITIES, MIGRATIONS), migrate);
  try {
    return await work(dataSource);
  } finally {
    await dataSource.destroy();
  }
}

/** Returns the rows of every table as the service reads them, in the same order for both databases. */
function rowsOf(settings: DatabaseSettings): Promise<ReadonlyMap<string, readonly object[]>> {
  return withDatabase(settings, async (dataSource) => {
    const tables = new Map<string, readonly object[]>();
    for (const { target, tableName } of dataSource.entityMetadatas) {
      const rows = await dataSource.getRepository(target).find();
      const sorted = rows
        .map((row) => [JSON.stringify(row), row] as const)
        .sort(([a], [b]) => (a < b ? -1 : 1));
      tables.set(
        tableName,
        sorted.map(([, row]) => row),
      );
    }
    return tables;
  });
}

/**
 * Inserts generated rows into all tables: `ROWS` rows into the large table, and two rows into each of the
 * remaining tables. In the second row, nullable columns are null.
 */
async function fill(dataSource: DataSource): Promise<void> {
  for (const metadata of dataSource.entityMetadatas) {
    const count = metadata.tableName === LARGE ? ROWS : 2;
    const rows = Array.from({ length: count }, (_, index) => madeUp(metadata, index));
    for (let at = 0; at < count; at += 100)
      await dataSource
        .createQueryBuilder()
        .insert()
        .into(metadata.target)
        .values(rows.slice(at, at + 100))
        .execute();
  }
}

function madeUp({ columns }: EntityMetadata, index: number): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    columns.map(({ propertyName, databaseName, type, isNullable, isPrimary, transformer }) => {
      if (isNullable && index === 1) return [propertyName, null];
      if (type === 'integer') return [propertyName, index + 1];
      if (type === 'text' && transformer !== undefined)
        return [propertyName, { [AWKWARD]: [index, null, true, AWKWARD] }];
      if (/_at$|^at$|until$|^hour$|^began$|_for$|_since$/.test(databaseName))
        return [propertyName, new Date(1_763_000_000_000 + index * 3_600_001).toISOString()];
      if (databaseName === 'id' || /_id$|^holder$|_by$|_of$|_owner$|^owner$/.test(databaseName))
        return [propertyName, uuid(index)];
      return [propertyName, isPrimary ? `${databaseName} ${index}` : `${AWKWARD} ${index}`];
    }),
  );
}

const uuid = (index: number): string => `0199a8c0-0000-7000-8000-${String(index).padStart(12, '0')}`;

const digest = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex');
