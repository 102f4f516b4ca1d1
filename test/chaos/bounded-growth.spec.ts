import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import BetterSqlite from 'better-sqlite3';
import { Client } from 'pg';
import { expect, it } from 'vitest';
import { privatePostgres, QUICK_POSTGRES } from '../../tools/scripts/private-servers.mjs';
import { RetentionSweeper } from '../../src/retention/retention-sweeper.js';
import type { DatabaseSettings } from '../../src/settings/index.js';
import { databaseKinds } from '../support/database.js';
import { TestService } from '../support/service.js';

/**
 * With `CHAOS=long`, each test starts 28,800 executions, as one hour at eight starts per second would. Without
 * `CHAOS=long`, each test starts a tenth as many. Each test starts executions as fast as the service accepts them.
 * Retention keeps the latest quarter of the executions.
 */
const LONG = process.env['CHAOS'] === 'long';
const EXECUTIONS = LONG ? 28_800 : 2_880;
const KEPT = EXECUTIONS / 4;
/** Number of ended executions after which the retention sweep runs once. The sweep deletes old executions. */
const SWEEP_EVERY = EXECUTIONS / 60;
/**
 * Seconds between two runs of autovacuum. The default of PostgreSQL is 60 s. The test compresses the load of an hour
 * into less time, and shortens the interval in the same proportion.
 */
const NAP_SECONDS = LONG ? 5 : 1;
const CALLERS = 24;
const LIMIT = { timeout: LONG ? 3_600_000 : 600_000 };

/** Maximum size of a table, or of the SQLite file, as a multiple of the size of its live rows. */
const MAX_RATIO = 1.5;
/**
 * Bytes that a table may take beyond `MAX_RATIO` times the size of its live rows, because even a small table occupies
 * several pages.
 */
const SLACK = 786_432;

it(
  'PostgreSQL tables and indexes stay near the size of their live rows while retention deletes executions',
  LIMIT,
  async () => {
    const postgres = await privatePostgres([...QUICK_POSTGRES, `autovacuum_naptime=${NAP_SECONDS}s`]);
    try {
      await work({ dialect: 'postgres', url: postgres.url });
      const tables = await tablesOf(postgres.url);
      const grown = tables.filter(({ bytes, live }) => bytes > live * MAX_RATIO + SLACK);
      process.stdout.write(`${EXECUTIONS} executions; ${shown(tables)}\n`);
      expect(grown).toEqual([]);
      const [bytes, live] = [sum(tables.map((one) => one.bytes)), sum(tables.map((one) => one.live))];
      expect(bytes).toBeLessThan(live * MAX_RATIO + SLACK);
    } finally {
      await postgres.stop();
    }
  },
);

it(
  'the SQLite file stays near the size of its live rows while retention deletes executions',
  LIMIT,
  async () => {
    const sqlite = (await databaseKinds()).find(({ name }) => name === 'sqlite');
    const database = await sqlite?.create();
    if (database?.settings.dialect !== 'sqlite') throw new Error('This test needs SQLite.');
    const { path } = database.settings;
    try {
      await work(database.settings);
      const copy = join(path, '..', 'live.sqlite');
      const file = new BetterSqlite(path);
      file.exec(`VACUUM INTO '${copy}'`);
      file.close();
      const [bytes, live] = [statSync(path).size, statSync(copy).size];
      process.stdout.write(
        `${EXECUTIONS} executions; SQLite: ${megabytes(bytes)} of ${megabytes(live)} live\n`,
      );
      expect(bytes).toBeLessThan(live * MAX_RATIO + SLACK);
    } finally {
      await database.drop();
    }
  },
);

/** Runs `EXECUTIONS` executions, while retention deletes all of them except the latest `KEPT`. */
async function work(database: DatabaseSettings): Promise<void> {
  const service = await TestService.start({ database });
  const sweeper = service.app.get(RetentionSweeper, { strict: false });
  const stopped = new AbortController();
  try {
    const nodes = [
      { id: 'a', type: 'set', with: { value: '{{ input.text }}' } },
      { id: 'b', type: 'delay', with: { seconds: 0.01 }, needs: ['a'] },
      { id: 'c', type: 'set', with: { value: '{{ input.n }}' }, needs: ['b'] },
    ];
    const { body: workflow } = await service.post('/v1/workflows', { name: 'flow', nodes });
    /** End times of the executions in epoch milliseconds, in ascending order. */
    const ends: number[] = [];
    let started = 0;
    let sweeping: Promise<unknown> = Promise.resolve();
    const call = async (): Promise<void> => {
      for (let n = (started += 1); n <= EXECUTIONS; n = started += 1) {
        // Wait for the pending retention sweep. A late sweep would leave old rows, which would increase the measured
        // size of the tables.
        await sweeping;
        // Every fiftieth input is so long that the service stores the input outside the journal. All inputs are random,
        // so the database cannot compress them.
        const text = randomBytes(n % 50 === 0 ? 30_000 : 1_000).toString('base64');
        const path = `/v1/workflows/${workflow.id}/executions?wait=30`;
        const { status } = await service.post(path, { input: { text, n }, metadata: { n: String(n) } });
        expect(status).toBe(201);
        ends.push(Date.now());
        const before = ends.at(-KEPT);
        if (before !== undefined && ends.length % SWEEP_EVERY === 0)
          sweeping = sweeping.then(async () => {
            await sweeper.trim(before, before, stopped.signal);
            // Without `CHAOS=long`, the test waits for autovacuum after each sweep. Autovacuum then runs as often per
            // execution as with `CHAOS=long`.
            if (database.dialect === 'postgres' && !LONG) await pause(NAP_SECONDS * 1_000);
          });
      }
    };
    await Promise.all(Array.from({ length: CALLERS }, call));
    await sweeping;
    // Wait three intervals of autovacuum, so that autovacuum cleans up the rows deleted last.
    if (database.dialect === 'postgres') await pause(NAP_SECONDS * 3_000);
  } finally {
    stopped.abort();
    await service.stop();
  }
}

interface Table {
  readonly name: string;
  /** Size of the table in bytes, including its long values (TOAST) and its indexes. */
  readonly bytes: number;
  /** Size in bytes of a fresh copy of the table with the same rows. */
  readonly live: number;
  /** Sizes in bytes of the indexes: `bytes` in the table itself, `live` in the fresh copy. */
  readonly indexes: { readonly bytes: number; readonly live: number };
  /** Percentage of row updates that added no index entry (heap-only tuple updates). */
  readonly hotPercent: number;
}

/** Sizes in bytes, as strings, because the PostgreSQL driver returns bigint values as strings. */
interface Sizes {
  readonly all: string;
  readonly indexes: string;
}

async function tablesOf(url: string): Promise<readonly Table[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ readonly name: string; readonly hot: string } & Sizes>(
      `SELECT relname AS name, pg_total_relation_size(relid) AS all, pg_indexes_size(relid) AS indexes,
         coalesce(100 * n_tup_hot_upd / nullif(n_tup_upd, 0), 0) AS hot
       FROM pg_stat_user_tables ORDER BY relname`,
    );
    const tables: Table[] = [];
    for (const { name, hot, ...sizes } of rows) {
      await client.query(`CREATE TABLE fresh (LIKE "${name}" INCLUDING ALL)`);
      await client.query(`INSERT INTO fresh SELECT * FROM "${name}"`);
      const { rows: copied } = await client.query<Sizes>(
        "SELECT pg_total_relation_size('fresh') AS all, pg_indexes_size('fresh') AS indexes",
      );
      await client.query('DROP TABLE fresh');
      tables.push({
        name,
        bytes: Number(sizes.all),
        live: Number(copied[0]?.all),
        indexes: { bytes: Number(sizes.indexes), live: Number(copied[0]?.indexes) },
        hotPercent: Number(hot),
      });
    }
    return tables;
  } finally {
    await client.end();
  }
}

function shown(tables: readonly Table[]): string {
  return tables
    .filter(({ bytes }) => bytes > SLACK / 4)
    .map(
      ({ name, bytes, live, indexes, hotPercent }) =>
        `${name} ${megabytes(bytes)} of ${megabytes(live)} (indexes ${megabytes(indexes.bytes)} of ${megabytes(indexes.live)}; ${hotPercent} % of updates heap-only)`,
    )
    .join(', ');
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_048_576).toFixed(1)} MB`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
