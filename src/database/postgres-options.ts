import type { Client, ClientBase, ClientConfig } from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { type DatabaseSettings, serverUrls } from '../settings/index.js';
import { markShared } from './shared-connections.js';
import { DEFAULT_LIMIT_MS, requestLimitMs, StatementWatch } from './statement-limits.js';

/** Milliseconds of idle time before TCP keep-alive checks the connection. */
const KEEP_ALIVE_MS = 10_000;

/** Maximum number of connections that bypass the pooler. */
const DIRECT_POOL_SIZE = 2;

/** Options of the PostgreSQL driver, and settings of this service that the driver ignores. */
interface PostgresExtra {
  readonly [driverOption: string]: unknown;
  /** URL with every host. */
  readonly allUrl: string;
  /** URL that bypasses the pooler; undefined if there is no pooler. */
  readonly directUrl: string | undefined;
  readonly watch: StatementWatch;
}

type PostgresSettings = Extract<DatabaseSettings, { readonly dialect: 'postgres' }>;

export function postgresExtra({
  url,
  directUrl,
  limitMs = DEFAULT_LIMIT_MS,
}: PostgresSettings): PostgresExtra {
  const watch = new StatementWatch(limitMs);
  return {
    allUrl: url,
    directUrl,
    // A pooler in transaction mode refuses these settings, so the database role must set them.
    ...(directUrl === undefined && {
      // The server cancels an abandoned statement, because the statement would keep its locks.
      statement_timeout: limitMs,
      // Ends the transaction of a stopped process, because its locks block other processes.
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

/** The URL with every host. */
export function urlOf(options: DataSourceOptions): string {
  const { allUrl } = (options as { readonly extra?: Partial<PostgresExtra> }).extra ?? {};
  return allUrl ?? (options as { readonly url?: string }).url ?? '';
}

/**
 * Selects the server that accepts writes, if the URL requires this.
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
 * Creates an unconnected client for the server that `withServers` selects.
 * @param config options of the connection without `connectionString`
 */
export async function newPostgresClient(url: string, config: ClientConfig): Promise<Client> {
  const { postgresAccess } = await import('./postgres-client.js');
  return new (postgresAccess(url).Client)({ ...config, connectionString: url });
}

/**
 * A data source that bypasses the pooler, for tasks that need their own session.
 * @returns null if there is no pooler, so that the given data source suffices
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
 * An unhandled error event before the pool listens would end the process. Statements on a failed
 * connection fail anyway.
 */
function ignoreErrorEvents(client: ClientBase): void {
  client.on('error', () => undefined);
}
