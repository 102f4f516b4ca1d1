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
 * With `CHAOS=long`, each test starts as many executions as one hour at eight per second, but as fast as possible.
 * Retention keeps the latest quarter of the executions. Without it, a test starts a tenth as many.
 */
const LONG = process.env['CHAOS'] === 'long';
const EXECUTIONS = LONG ? 28_800 : 2_880;
const KEPT = EXECUTIONS / 4;
/** Retention deletes old executions each time this many further executions have ended. */
const SWEEP_EVERY = EXECUTIONS / 60;
/**
 * Interval of autovacuum in seconds. PostgreSQL's default is one minute. The test starts an hour's load in less time,
 * so it shortens the interval in proportion.
 */
const NAP_SECONDS = LONG ? 5 : 1;
const CALLERS = 24;
const LIMIT = { timeout: LONG ? 3_600_000 : 600_000 };

/** Maximum size of a table, or of the SQLite file, as a multiple of its live rows. */
const MAX_RATIO = 1.5;
/**
 * Bytes that a table may have in addition to `MAX_RATIO` times its live rows, because even a small table has some
 * pages.
 */
const SLACK = 786_432;

it(
  'PostgreSQL keeps tables and indexes near the size of their live rows under load and retention',
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

it('the SQLite file stays near the size of its live rows under load and retention', LIMIT, async () => {
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
});

/** Runs executions while retention deletes all but the latest ones. */
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
    /** Times in epoch milliseconds at which executions ended, in order. */
    const ends: number[] = [];
    let started = 0;
    let sweeping: Promise<unknown> = Promise.resolve();
    const call = async (): Promise<void> => {
      for (let n = (started += 1); n <= EXECUTIONS; n = started += 1) {
        // Wait for the sweep of retention, so that a late sweep does not increase the size.
        await sweeping;
        // Every fiftieth input is so long that it is stored outside the journal. All inputs are random, so they cannot
        // be compressed.
        const text = randomBytes(n % 50 === 0 ? 30_000 : 1_000).toString('base64');
        const path = `/v1/workflows/${workflow.id}/executions?wait=30`;
        const { status } = await service.post(path, { input: { text, n }, metadata: { n: String(n) } });
        expect(status).toBe(201);
        ends.push(Date.now());
        const before = ends.at(-KEPT);
        if (before !== undefined && ends.length % SWEEP_EVERY === 0)
          sweeping = sweeping.then(async () => {
            await sweeper.trim(before, before, stopped.signal);
            // In the short form, wait for autovacuum after each sweep, so that it runs as often per execution as in the
            // long form.
            if (database.dialect === 'postgres' && !LONG) await pause(NAP_SECONDS * 1_000);
          });
      }
    };
    await Promise.all(Array.from({ length: CALLERS }, call));
    await sweeping;
    // Wait until autovacuum runs again and cleans up the last deletions.
    if (database.dialect === 'postgres') await pause(NAP_SECONDS * 3_000);
  } finally {
    stopped.abort();
    await service.stop();
  }
}

interface Table {
  readonly name: string;
  /** Size of the table in bytes, including its long values and indexes. */
  readonly bytes: number;
  /** Size of a fresh copy of the table with the same rows, in bytes. */
  readonly live: number;
  /** The part of `bytes` and `live` that indexes take. */
  readonly indexes: { readonly bytes: number; readonly live: number };
  /** Percentage of updates that needed no new index entry (heap-only tuples). */
  readonly hotPercent: number;
}

/** Sizes in bytes. The driver returns them as strings. */
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
