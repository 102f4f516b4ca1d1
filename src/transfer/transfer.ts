import type { MigrationClass, PluginSchema } from '../database/index.js';
import { isInstanceDead } from '../instances/index.js';
import { PostgresTarget } from './postgres-target.repository.js';
import { SqliteSource } from './sqlite-source.repository.js';
import type { TransferProgress } from './transfer-progress.js';
import type { TransferTable } from './transfer-table.js';
import { TransferError } from './transfer.errors.js';

/**
 * The schema of both databases of a transfer, as migrations and plug-ins. The transfer also reads the TypeORM entities,
 * so the caller must have imported all modules.
 */
export interface TransferSchema {
  /** All migrations of the service, oldest first. */
  readonly migrations: readonly MigrationClass[];
  /** The loaded plug-ins. Their tables are transferred too. */
  readonly plugins: readonly PluginSchema[];
}

/**
 * Copies all data of a SQLite file to an empty PostgreSQL database. If the transfer fails, the PostgreSQL database
 * stays empty. The SQLite file is not changed. Only one batch of rows is in memory at a time.
 * @param path path of the SQLite file
 * @param url URL of the PostgreSQL database
 * @throws TransferError if the file is in use or its schema is not of this version, the database is not empty, or
 * PostgreSQL refuses a row
 * @throws DatabaseUnavailableError if PostgreSQL is unavailable
 */
export async function transfer(
  path: string,
  url: string,
  { migrations, plugins }: TransferSchema,
  progress: TransferProgress,
): Promise<void> {
  const source = SqliteSource.open(path);
  try {
    requireStopped(source);
    const expected = migrations.map(({ name }) => name);
    requireSteps(
      expected,
      source.path,
      source.steps(),
      'Update it first: set DATABASE_URL=sqlite://<path> and run "migrate up".',
    );
    const applied = source.pluginSteps();
    const ofPlugins = plugins.flatMap(({ plugin, migrations: ofPlugin }) =>
      ofPlugin.filter(({ name }) => applied.some((step) => step.plugin === plugin && step.name === name)),
    );
    await PostgresTarget.filled(url, { migrations, ofPlugins }, async (target) => {
      requireSteps(
        expected,
        'the target',
        await target.steps(),
        'Use the version of the service that created it.',
      );
      requireKnown(source, target);
      await locked(target);
      await requireEmpty(target);
      // The SQLite file may lack the tables of a plug-in that was never used with the file. Missing tables are skipped.
      const sourceTables = new Set(source.tables());
      for (const table of target.tables)
        if (sourceTables.has(table.name)) await copyTable(source, target, table, progress);
    });
  } finally {
    source.close();
  }
}

function requireStopped(source: SqliteSource): void {
  const running = source.instances().find((instance) => !isInstanceDead(instance));
  if (running === undefined) return;
  throw new TransferError(
    `A service (process ${running.pid} on ${running.host}) is using ${source.path}. Stop it first, so that no new data is lost.`,
  );
}

function requireSteps(
  expected: readonly string[],
  what: string,
  steps: readonly string[],
  advice: string,
): void {
  if (steps.length === expected.length && expected.every((name) => steps.includes(name))) return;
  throw new TransferError(
    `The database schema of ${what} belongs to another version of the service. ${advice}`,
  );
}

/**
 * Checks that every table of the SQLite file belongs to a loaded entity. The transfer would silently omit any other
 * table.
 * @throws TransferError if a table has no entity
 */
function requireKnown(source: SqliteSource, target: PostgresTarget): void {
  const known: ReadonlySet<string> = new Set(target.tables.map(({ name }) => name));
  const unknown = source.tables().filter((name) => !known.has(name));
  if (unknown.length > 0)
    throw new TransferError(
      `${source.path} has tables that do not belong to the service: ${unknown.join(', ')}. Add their plug-ins to WORKFLOW_PLUGINS, or drop the tables.`,
    );
}

async function locked(target: PostgresTarget): Promise<void> {
  try {
    await target.lock();
  } catch (error) {
    throw new TransferError(
      `The tables of the target database could not be locked: ${reasonOf(error)}. Stop all programs that use the database.`,
      { cause: error },
    );
  }
}

async function requireEmpty(target: PostgresTarget): Promise<void> {
  const full: string[] = [];
  for (const table of target.tables) {
    const count = await target.count(table);
    if (count > 0) full.push(`${table.name} ${count}`);
  }
  if (full.length > 0)
    throw new TransferError(
      `The target database is not empty (rows per table: ${full.join(', ')}). Create a new database with CREATE DATABASE and pass its URL. The transfer creates the tables.`,
    );
}

async function copyTable(
  source: SqliteSource,
  target: PostgresTarget,
  table: TransferTable,
  progress: TransferProgress,
): Promise<void> {
  const total = source.count(table);
  progress.begin(table.name, total);
  try {
    for (const batch of source.batches(table)) {
      await target.add(table, batch);
      progress.add(batch[0]?.length ?? 0);
    }
    if (table.counted !== null) await target.continueSequenceAfter(table, source.lastNumber(table));
    const arrived = await target.count(table);
    if (arrived !== total) throw new TransferError(`only ${arrived} of ${total} rows were copied`);
  } catch (error) {
    throw new TransferError(
      `No data was transferred, because the table ${table.name} could not be copied: ${reasonOf(error)}.`,
      {
        cause: error,
      },
    );
  } finally {
    progress.end();
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
