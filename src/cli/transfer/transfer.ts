import type { PluginSchema } from '../../database/index.js';
import { isInstanceDead } from '../../instances/index.js';
import { MIGRATIONS } from '../../../migrations/index.js';
import { CommandError } from '../command-error.js';
import { PostgresTarget } from './postgres-target.repository.js';
import { SqliteSource } from './sqlite-source.repository.js';
import type { TransferProgress } from './transfer-progress.js';
import type { TransferTable } from './transfer-table.js';

/**
 * Transfers all data from a SQLite file to an empty PostgreSQL database, or nothing if it fails. The file is not
 * changed; memory is bounded by one batch of rows.
 * @param path of the SQLite file
 * @param url of the PostgreSQL database
 * @param plugins the loaded plug-ins, whose tables are transferred, too
 * @throws CommandError when the file is in use or of another version, the database is not empty, or a row is refused;
 * DatabaseUnavailableError when PostgreSQL cannot be used
 */
export async function transfer(
  path: string,
  url: string,
  progress: TransferProgress,
  plugins: readonly PluginSchema[] = [],
): Promise<void> {
  const source = SqliteSource.open(path);
  try {
    requireStopped(source);
    requireSteps(
      source.path,
      source.steps(),
      'Bring it up to date first: DATABASE_URL=sqlite://<path>, then "migrate up".',
    );
    const applied = source.pluginSteps();
    const ofPlugins = plugins.flatMap(({ plugin, migrations }) =>
      migrations.filter(({ name }) => applied.some((step) => step.plugin === plugin && step.name === name)),
    );
    await PostgresTarget.filled(url, ofPlugins, async (target) => {
      requireSteps('The target', await target.steps(), 'Use the version of the service that made it.');
      requireKnown(source, target);
      await locked(target);
      await requireEmpty(target);
      // A plug-in that never started on this file has no tables in it.
      const there = new Set(source.tables());
      for (const table of target.tables)
        if (there.has(table.name)) await move(source, target, table, progress);
    });
  } finally {
    source.close();
  }
}

function requireStopped(source: SqliteSource): void {
  const running = source.instances().find((instance) => !isInstanceDead(instance));
  if (running === undefined) return;
  throw new CommandError(
    `A Workflow Service (process ${running.pid} on ${running.host}) runs on ${source.path}. Stop it first: what it writes meanwhile would be missing.`,
  );
}

function requireSteps(what: string, steps: readonly string[], advice: string): void {
  const wanted = MIGRATIONS.map(({ name }) => name);
  if (steps.length === wanted.length && wanted.every((name) => steps.includes(name))) return;
  throw new CommandError(`${what} has not the schema of this version. ${advice}`);
}

/** Requires an entity for every table, so that the transfer leaves no table out. */
function requireKnown(source: SqliteSource, target: PostgresTarget): void {
  const known: ReadonlySet<string> = new Set(target.tables.map(({ name }) => name));
  const unknown = source.tables().filter((name) => !known.has(name));
  if (unknown.length > 0)
    throw new CommandError(
      `${source.path} has tables that are not the service's: ${unknown.join(', ')}. Name the plug-ins that made them in WORKFLOW_PLUGINS, or take them out of it first.`,
    );
}

async function locked(target: PostgresTarget): Promise<void> {
  try {
    await target.lock();
  } catch (error) {
    throw new CommandError(
      `The tables of the target cannot be had alone: ${reasonOf(error)}. Stop what runs on it first.`,
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
    throw new CommandError(
      `The target is not empty (${full.join(', ')}). Stop what runs on it and name a new database, made by CREATE DATABASE; it gets its tables from this command.`,
    );
}

async function move(
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
    if (table.counted !== null) await target.goOnAfter(table, source.lastNumber(table));
    const arrived = await target.count(table);
    if (arrived !== total) throw new CommandError(`${arrived} of its ${total} rows arrived`);
  } catch (error) {
    throw new CommandError(`Nothing was moved, since ${table.name} could not be: ${reasonOf(error)}.`, {
      cause: error,
    });
  } finally {
    progress.end();
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
