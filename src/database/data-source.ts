import type { Database } from 'better-sqlite3';
import { DataSource, type DataSourceOptions, type MigrationInterface } from 'typeorm';
import { type DatabaseSettings, serverUrls, withoutPassword } from '../settings/index.js';
import { applyDialect } from './columns.js';
import { NewerSchemaError, withSchemaLocked } from './migrations.js';
import { postgresExtra, urlOf, withServers } from './postgres-options.js';
import { makePrivate } from './private-files.js';
import { prepareSqlite } from './sqlite-connection.js';
import { corruptionOf, ForeignDatabaseError, inspectSqlite, sqliteFault } from './sqlite-faults.js';

export type MigrationClass = new () => MigrationInterface;
export type EntityClass = new () => object;

/** Thrown when the database cannot be opened. The message contains the cause and what to do. */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError';

  /** Creates the error for a failed connection. The message explains the cause to operators and says what to do. */
  static of(options: DataSourceOptions, cause: unknown): DatabaseUnavailableError {
    return new DatabaseUnavailableError(explain(options, cause), { cause });
  }
}

interface SqliteExtra {
  readonly ownFolder: string | undefined;
}

/** Default number of database connections per process. */
const POOL_SIZE = 10;

/** A table that the first migration creates. A database without this table belongs to another program. */
const OWN_TABLE = 'executions';

/** Returns the options of the process's only TypeORM data source. */
export function dataSourceOptions(
  settings: DatabaseSettings,
  entities: readonly EntityClass[],
  migrations: readonly MigrationClass[],
): DataSourceOptions {
  const base = {
    entities: [...entities],
    migrations: [...migrations],
    migrationsTransactionMode: 'each' as const,
    synchronize: false,
  };
  if (settings.dialect === 'sqlite') {
    return {
      ...base,
      type: 'better-sqlite3',
      database: settings.path,
      prepareDatabase: (database: Database) => {
        if (migrations.length > 0) inspectSqlite(database, OWN_TABLE);
        prepareSqlite(database);
        corruptionOf(database).watch(database);
      },
      extra: { ownFolder: settings.ownFolder } satisfies SqliteExtra,
    };
  }
  return {
    ...base,
    type: 'postgres',
    // TypeORM accepts only one host in `url`, so `extra` contains the URL with all hosts.
    url: serverUrls(settings.url)[0] ?? settings.url,
    poolSize: settings.poolSize ?? POOL_SIZE,
    extra: postgresExtra(settings),
  };
}

/**
 * Opens the database. With `migrate`, also applies missing migrations. Other processes wait until the migrations are
 * applied.
 * @throws DatabaseUnavailableError if the file is unusable or the server does not respond
 */
export async function openDataSource(options: DataSourceOptions, migrate: boolean): Promise<DataSource> {
  applyDialect(options.type === 'postgres' ? 'postgres' : 'sqlite');
  try {
    makeOwn(options);
    const dataSource = await new DataSource(await withServers(options)).initialize();
    if (migrate) await withSchemaLocked(dataSource, (steps) => steps.up());
    return dataSource;
  } catch (error) {
    throw DatabaseUnavailableError.of(options, error);
  }
}

/** Creates the SQLite file and its folder, readable only by the user of this process. */
export function makeOwn(options: DataSourceOptions): void {
  if (options.type === 'better-sqlite3' && options.database !== ':memory:')
    makePrivate(options.database, (options.extra as SqliteExtra | undefined)?.ownFolder);
}

function explain(options: DataSourceOptions, error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  if (error instanceof NewerSchemaError || error instanceof ForeignDatabaseError) return reason;
  if (options.type === 'postgres')
    return `The PostgreSQL database at ${withoutPassword(urlOf(options))} cannot be used: ${reason}.${adviceOn(reason)}`;
  if (/database is locked/.test(reason))
    return `${String(options.database)} is locked by another process that writes or moves it. Try again when that process has ended.`;
  const fault = sqliteFault(codeOf(error)) ?? 'cannot be used.';
  // Inserts SQLite's own message into the explanation, as in `cannot be written (<message>): the disk is full`.
  return `${String(options.database)} ${fault.replace(/^[^:.]+/, (what) => `${what} (${reason})`)}`;
}

/** Returns the error code, from the error itself or from the driver error that it contains. */
function codeOf(error: unknown): string | undefined {
  const { code, driverError } = error as { readonly code?: unknown; readonly driverError?: unknown };
  if (typeof code === 'string') return code;
  return driverError === undefined ? undefined : codeOf(driverError);
}

/**
 * Returns advice for a connection error, as a sentence with a leading space. Empty if the error's own message suffices.
 */
function adviceOn(reason: string): string {
  return /unsupported startup parameter/.test(reason)
    ? ' A pooler is in between: list that parameter in its ignore_startup_parameters, as docs/deployment.md says.'
    : '';
}
