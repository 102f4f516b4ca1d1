import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import Database from 'better-sqlite3';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SqliteCommits } from '../../src/storage/writer/sqlite-commits.js';
import { prepareSqlite } from '../../src/database/sqlite-connection.js';
import { dataSourceOptions, openDataSource } from '../../src/database/index.js';
import { newId } from '../../src/platform/index.js';
import { writerOf } from '../../src/storage/storage.module.js';
import { isDatabaseUnavailable } from '../../src/database/database-unavailable.js';
import { ENTITIES, MIGRATIONS } from '../../src/schema.js';
import { databaseKinds, databaseUrl } from '../support/database.js';
import { CounterEntity } from './writer.contract.js';

// Silences the logger, because the service logs the database errors of these tests.
Logger.overrideLogger(false);

const PAGE = 4_096;

let directory: string;
let path: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'workflow-faults-'));
  path = join(directory, 'test.sqlite');
});

afterEach(() => rmSync(directory, { recursive: true, force: true }));

/**
 * Opens the database as the service does at its start.
 * @returns the error message, or `started`
 */
async function startsWith(): Promise<string> {
  try {
    const options = dataSourceOptions({ dialect: 'sqlite', path }, ENTITIES, MIGRATIONS);
    const dataSource = await openDataSource(options, true);
    await dataSource.destroy();
    return 'started';
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }
}

/** Overwrites pages in the middle of the SQLite file with invalid bytes. */
function spoil(pages: number): void {
  const file = openSync(path, 'r+');
  const from = Math.floor(statSync(path).size / PAGE / 2) * PAGE;
  for (let page = 0; page < pages; page += 1)
    writeSync(file, Buffer.alloc(PAGE, 0xa5), 0, PAGE, from + page * PAGE);
  closeSync(file);
}

function onFile(work: (database: Database.Database) => void): void {
  const database = new Database(path);
  work(database);
  database.close();
}

describe('the start of a service on SQLite', () => {
  it('the service reports that its database file is a text file, and leaves the file unchanged', async () => {
    writeFileSync(path, 'Dear diary, '.repeat(1_000));
    expect(await startsWith()).toMatch(
      /^DatabaseUnavailableError: .* is not a SQLite database \(.+\)\. Move it to another folder/,
    );
    expect(statSync(path).size).toBe(12_000);
  });

  it('the service reports that the database belongs to another program, and creates no table in it', async () => {
    onFile((database) => database.exec('CREATE TABLE books (id INTEGER)'));
    expect(await startsWith()).toMatch(/is a database of another program\. Set DATA_DIR or DATABASE_URL/);
    onFile((database) =>
      expect(database.prepare('SELECT name FROM sqlite_master').all()).toEqual([{ name: 'books' }]),
    );
  });

  it('the service reports that its database file is corrupt', async () => {
    expect(await startsWith()).toBe('started');
    onFile((database) => database.pragma('wal_checkpoint(TRUNCATE)'));
    spoil(20);
    expect(await startsWith()).toMatch(/is corrupt \(.+\)\. Stop the service and restore the last backup/);
  });

  it('the service reports that the directory of its database is not writable', async () => {
    // Not even the root user can create this directory, because it is in /proc.
    path = '/proc/workflow-service/test.sqlite';
    expect(await startsWith()).toMatch(
      /cannot be written \(.+\)\. Set DATA_DIR to a folder that this user can write to/,
    );
  });

  it('the service refuses to start if the path of its database is a directory', async () => {
    path = directory;
    expect(await startsWith()).toMatch(/cannot be written \(.+\)\. Set DATA_DIR/);
  });
});

describe.each(await databaseKinds())('the start of a service on $name', ({ create }) => {
  it('the service refuses to start on a schema that is newer than its code', async () => {
    const { settings, drop } = await create();
    const open = () => openDataSource(dataSourceOptions(settings, ENTITIES, MIGRATIONS), true);
    await (await open()).destroy();
    const insert =
      "INSERT INTO migrations (timestamp, name) VALUES (4102444800000, 'OfTheFuture4102444800000')";
    if (settings.dialect === 'sqlite') {
      path = settings.path;
      onFile((database) => database.exec(insert));
    } else {
      const client = new Client({ connectionString: databaseUrl(settings) });
      await client.connect();
      await client.query(insert);
      await client.end();
    }
    await expect(open()).rejects.toThrow(
      /newer schema than this version of the service \(unknown migrations: OfTheFuture4102444800000\)\. Start the version/,
    );
    await drop();
  });
});

describe('a service on SQLite', () => {
  it('SQLite commits fail while the database file is full, and succeed again after its size limit is raised', () => {
    const database = new Database(path);
    prepareSqlite(database);
    database.exec('CREATE TABLE notes (text TEXT)');
    const commits = new SqliteCommits(database);
    const write = (bytes: number) =>
      commits.commit({
        texts: ['INSERT INTO notes (text) VALUES (?)'],
        units: [[{ text: 0, parameters: ['x'.repeat(bytes)], guard: null }]],
      })[0];
    database.pragma('max_page_count = 20');
    expect(write(200_000)).toMatchObject({ kind: 'database', code: 'SQLITE_FULL' });
    expect(isDatabaseUnavailable(Object.assign(new Error('full'), { code: 'SQLITE_FULL' }))).toBe(true);
    database.pragma('max_page_count = 10000');
    expect(write(200_000)).toEqual([1]);
    database.close();
  });

  it('the SQLite writer rejects every commit after a query found a corrupt page', async () => {
    const settings = { dialect: 'sqlite', path } as const;
    const options = dataSourceOptions(settings, [CounterEntity], []);
    const made = await openDataSource(options, false);
    await made.synchronize();
    await made.destroy();
    onFile((database) => {
      const insert = database.prepare('INSERT INTO counters (id, n, note) VALUES (?, 0, ?)');
      database.transaction(() => {
        for (let n = 0; n < 500; n += 1) insert.run(newId(), 'x'.repeat(1_000));
      })();
      database.pragma('wal_checkpoint(TRUNCATE)');
    });
    spoil(40);
    const dataSource = await openDataSource(options, false);
    const writer = writerOf(dataSource);
    const insert = {
      writes: [{ sql: 'INSERT INTO counters (id, n) VALUES (?, 0)', parameters: [newId()] }],
    };
    writer.check();
    await expect(dataSource.query('SELECT sum(length(note)) FROM counters')).rejects.toThrow();
    expect(() => writer.check()).toThrow('corrupt');
    await expect(writer.commit(insert)).rejects.toMatchObject({ code: 'SQLITE_CORRUPT' });
    await writer.close();
    await dataSource.destroy();
  });
});
