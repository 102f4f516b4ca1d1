import type { Database } from 'better-sqlite3';
import type { ClientBase } from 'pg';
import { DataSource, type DataSourceOptions, type MigrationInterface } from 'typeorm';
import type { DatabaseSettings } from '../settings/index.js';
import { applyDialect } from './columns.js';
import { NewerSchemaError, withSchemaLocked } from './migrations.js';
import { makePrivate } from './private-files.js';
import { DEFAULT_LIMIT_MS, requestLimitMs, StatementWatch } from './statement-limits.js';
import { prepareSqlite } from './sqlite-connection.js';
import { corruptionOf, ForeignDatabaseError, inspectSqlite, sqliteFault } from './sqlite-faults.js';

export type MigrationClass = new () => MigrationInterface;
export type EntityClass = new () => object;

/** Thrown when the database cannot be opened; the message says what to do. */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError';

  /** The reason of a failed start or command, in words for people. */
  static of(options: DataSourceOptions, cause: unknown): DatabaseUnavailableError {
    return new DatabaseUnavailableError(explain(options, cause), { cause });
  }
}

/** What `openDataSource` needs to know about a SQLite file and TypeORM has no option for. */
interface SqliteExtra {
  readonly ownFolder: string | undefined;
}

/** Number of connections of one process to PostgreSQL if no pool size is given. */
const POOL_SIZE = 10;

/** Table that the first migration of this service creates. */
const OWN_TABLE = 'executions';

/** Idle time after which TCP keep-alive probes the server. */
const KEEP_ALIVE_MS = 10_000;

/** Options of the process's only data source. */
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
  const limitMs = settings.limitMs ?? DEFAULT_LIMIT_MS;
  const watch = new StatementWatch(limitMs);
  return {
    ...base,
    type: 'postgres',
    url: settings.url,
    poolSize: settings.poolSize ?? POOL_SIZE,
    extra: {
      // The server must cancel what this side gave up: it would keep its locks or wait for others.
      statement_timeout: limitMs,
      // A process stopped inside a transaction must not block all others.
      idle_in_transaction_session_timeout: 10_000,
      // Limit for a free or new connection.
      connectionTimeoutMillis: requestLimitMs(limitMs),
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
      watch,
      onConnect: (client: ClientBase) => {
        hearErrors(client);
        watch.limit(client);
      },
    },
  };
}

/**
 * Opens the database; with `migrate` it first updates the schema, one process at a time.
 * @throws DatabaseUnavailableError when the file is unusable or the server does not respond; its message says why and
 * what to do.
 */
export async function openDataSource(options: DataSourceOptions, migrate: boolean): Promise<DataSource> {
  applyDialect(options.type === 'postgres' ? 'postgres' : 'sqlite');
  try {
    makeOwn(options);
    const dataSource = await new DataSource(options).initialize();
    if (migrate) await withSchemaLocked(dataSource, (steps) => steps.up());
    return dataSource;
  } catch (error) {
    throw DatabaseUnavailableError.of(options, error);
  }
}

/**
 * A connection may fail in the packet that reports it ready, before its user can listen; an unhandled error event would
 * end the process. Statements on that connection fail anyway.
 */
function hearErrors(client: ClientBase): void {
  client.on('error', () => undefined);
}

/** Creates SQLite's folder and file, readable only by this user. */
export function makeOwn(options: DataSourceOptions): void {
  if (options.type === 'better-sqlite3' && options.database !== ':memory:')
    makePrivate(options.database, (options.extra as SqliteExtra | undefined)?.ownFolder);
}

function explain(options: DataSourceOptions, error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  if (error instanceof NewerSchemaError || error instanceof ForeignDatabaseError) return reason;
  if (options.type === 'postgres')
    return `PostgreSQL at ${withoutPassword(options.url ?? '')} cannot be used: ${reason}.`;
  if (/database is locked/.test(reason))
    return `${String(options.database)} is held by another process, which is writing to it or moving it. Try again when that has ended.`;
  const fault = sqliteFault(codeOf(error)) ?? 'cannot be used.';
  // Follows the words that name the problem.
  return `${String(options.database)} ${fault.replace(/^[^:.]+/, (what) => `${what} (${reason})`)}`;
}

/** Reads an error and its causes. */
function codeOf(error: unknown): string | undefined {
  const { code, driverError } = error as { readonly code?: unknown; readonly driverError?: unknown };
  if (typeof code === 'string') return code;
  return driverError === undefined ? undefined : codeOf(driverError);
}

function withoutPassword(text: string): string {
  const url = new URL(text);
  if (url.password !== '') url.password = '***';
  return url.toString();
}
