import type { Client, ClientBase, ClientConfig } from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { type DatabaseSettings, serverUrls } from '../settings/index.js';
import { markShared } from './shared-connections.js';
import { DEFAULT_LIMIT_MS, requestLimitMs, StatementWatch } from './statement-limits.js';

/** Milliseconds without traffic after which TCP keep-alive starts to probe a connection. */
const KEEP_ALIVE_MS = 10_000;

/** Maximum number of connections per process that bypass the pooler. */
const DIRECT_POOL_SIZE = 2;

/** The `extra` options of a data source: options of the PostgreSQL driver, and values that only this service reads. */
interface PostgresExtra {
  readonly [driverOption: string]: unknown;
  /** Database URL with all hosts. */
  readonly allUrl: string;
  /** Database URL that bypasses the pooler. Undefined if connections use no pooler. */
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
    // `statement_timeout` and `idle_in_transaction_session_timeout` are set only without a pooler, because a
    // pooler in transaction mode refuses session settings. With a pooler, the database role must have both
    // settings as defaults.
    ...(directUrl === undefined && {
      // If the service abandons a statement, the server cancels it. Otherwise the statement would keep its locks.
      statement_timeout: limitMs,
      // If a process stops in a transaction, the server ends the transaction after 10 s. The locks of an open
      // transaction would block other processes.
      idle_in_transaction_session_timeout: 10_000,
    }),
    // Maximum time in milliseconds to wait for a free connection of the pool, or for a new connection.
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

/** The database URL with all hosts, from the options of a data source. */
export function urlOf(options: DataSourceOptions): string {
  const { allUrl } = (options as { readonly extra?: Partial<PostgresExtra> }).extra ?? {};
  return allUrl ?? (options as { readonly url?: string }).url ?? '';
}

/**
 * Replaces the client class with one that connects to the server that accepts writes, if the database URL requires such
 * a server.
 * @throws NoWritableServerError
 */
export async function withServers(options: DataSourceOptions): Promise<DataSourceOptions> {
  if (options.type !== 'postgres') return options;
  // The import is dynamic, so that a service on SQLite does not load the PostgreSQL driver.
  const { postgresAccess } = await import('./postgres-client.js');
  const access = postgresAccess(urlOf(options));
  if (access.servers === null) return options;
  await access.servers.find();
  const extra = options.extra as Readonly<Record<string, unknown>> | undefined;
  return { ...options, extra: { ...extra, Client: access.Client } };
}

/**
 * Creates a client that is not connected yet. It will connect to the server that accepts writes, if the URL requires
 * such a server.
 * @param config options of the connection without `connectionString`
 */
export async function newPostgresClient(url: string, config: ClientConfig): Promise<Client> {
  const { postgresAccess } = await import('./postgres-client.js');
  return new (postgresAccess(url).Client)({ ...config, connectionString: url });
}

/**
 * Opens a data source that bypasses the pooler, for tasks such as migrations that need one database session.
 * @returns null if connections use no pooler, so that callers can use the given data source
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
 * Ignores error events of a connection. An event that arrives before the pool listens would end the process. Statements
 * on the broken connection report the error.
 */
function ignoreErrorEvents(client: ClientBase): void {
  client.on('error', () => undefined);
}
