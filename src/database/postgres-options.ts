import type { Client, ClientBase, ClientConfig } from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { type DatabaseSettings, serverUrls } from '../settings/index.js';
import { markShared } from './shared-connections.js';
import { DEFAULT_LIMIT_MS, requestLimitMs, StatementWatch } from './statement-limits.js';

/** Idle time in milliseconds after which TCP keep-alive checks the connection. */
const KEEP_ALIVE_MS = 10_000;

/** Maximum number of connections that bypass the pooler. */
const DIRECT_POOL_SIZE = 2;

/** Options of a pool's connections, plus the URLs of the database. */
interface PostgresExtra {
  readonly [driverOption: string]: unknown;
  /** URL with every host. */
  readonly allUrl: string;
  /** URL of the database without the pooler; undefined if there is no pooler. */
  readonly directUrl: string | undefined;
  readonly watch: StatementWatch;
}

type PostgresSettings = Extract<DatabaseSettings, { readonly dialect: 'postgres' }>;

/** Options of the data source for each connection to PostgreSQL. */
export function postgresExtra({
  url,
  directUrl,
  limitMs = DEFAULT_LIMIT_MS,
}: PostgresSettings): PostgresExtra {
  const watch = new StatementWatch(limitMs);
  return {
    allUrl: url,
    directUrl,
    // A pooler in transaction mode refuses these settings. Then the database role of the connection must have them.
    ...(directUrl === undefined && {
      // The server must cancel a statement for which this process no longer waits. Otherwise the statement would keep
      // its locks.
      statement_timeout: limitMs,
      // Ends a transaction whose process stopped in the middle of it, so that its locks do not block other processes.
      idle_in_transaction_session_timeout: 10_000,
    }),
    // Maximum wait in milliseconds for a free or new connection.
    connectionTimeoutMillis: requestLimitMs(limitMs),
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    watch,
    onConnect: (client: ClientBase) => {
      ignoreErrorEvents(client);
      if (directUrl !== undefined) markShared(client);
      watch.limit(client);
    },
  };
}

/** The URL of a PostgreSQL data source with every host. */
export function urlOf(options: DataSourceOptions): string {
  const { allUrl } = (options as { readonly extra?: Partial<PostgresExtra> }).extra ?? {};
  return allUrl ?? (options as { readonly url?: string }).url ?? '';
}

/**
 * Options whose connections go to the server that accepts writes, if the URL requires this.
 * @throws NoWritableServerError
 */
export async function withServers(options: DataSourceOptions): Promise<DataSourceOptions> {
  if (options.type !== 'postgres') return options;
  // Imported lazily, so that a service on SQLite does not load the PostgreSQL driver.
  const { postgresAccess } = await import('./postgres-client.js');
  const access = postgresAccess(urlOf(options));
  if (access.servers === null) return options;
  await access.servers.find();
  const extra = options.extra as Readonly<Record<string, unknown>> | undefined;
  return { ...options, extra: { ...extra, Client: access.Client } };
}

/**
 * A separate connection, not connected yet, to the server that `withServers` selects.
 * @param config options of the connection without `connectionString`
 */
export async function newPostgresClient(url: string, config: ClientConfig): Promise<Client> {
  const { postgresAccess } = await import('./postgres-client.js');
  return new (postgresAccess(url).Client)({ ...config, connectionString: url });
}

/**
 * A data source for a task that needs its own session. Bypasses the pooler.
 * @returns null if there is no pooler; then the given data source is sufficient
 */
export async function directDataSource({ options }: DataSource): Promise<DataSource | null> {
  if (options.type !== 'postgres') return null;
  const { directUrl, watch } = (options.extra ?? {}) as Partial<PostgresExtra>;
  if (directUrl === undefined) return null;
  const extra = postgresExtra({
    dialect: 'postgres',
    url: directUrl,
    limitMs: watch?.limitMs ?? DEFAULT_LIMIT_MS,
  });
  const [url = directUrl] = serverUrls(directUrl);
  return new DataSource(
    await withServers({ ...options, url, poolSize: DIRECT_POOL_SIZE, extra }),
  ).initialize();
}

/**
 * Ignores error events of a new connection. A connection may fail before the pool listens to its errors, and an
 * unhandled error event would end the process. Statements on a failed connection fail anyway.
 */
function ignoreErrorEvents(client: ClientBase): void {
  client.on('error', () => undefined);
}
