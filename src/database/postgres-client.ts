import { Client, type ClientConfig, type QueryConfig } from 'pg';
import { mustBeWritable } from '../settings/index.js';
import {
  hostOf,
  NotWritableError,
  PostgresServers,
  PROBE_MS,
  type ProbedServer,
} from './postgres-servers.js';

/**
 * Cache of `PostgresServers` objects by database URL. Connections with the same URL share an object, so that they all
 * follow the same primary.
 */
const known = new Map<string, PostgresServers>();

export interface PostgresAccess {
  readonly Client: typeof Client;
  /** Finds the server that accepts writes. Null if the URL does not require a server that accepts writes. */
  readonly servers: PostgresServers | null;
}

/**
 * Returns the client class for a database URL. With several hosts or `target_session_attrs=read-write`, its connections
 * go only to the server that accepts writes.
 */
export function postgresAccess(url: string): PostgresAccess {
  if (!mustBeWritable(url)) return { Client, servers: null };
  let servers = known.get(url);
  if (servers === undefined) known.set(url, (servers = new PostgresServers(url, probeServer)));
  return { Client: writableClient(servers), servers };
}

async function probeServer(url: string): Promise<ProbedServer> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: PROBE_MS,
    query_timeout: PROBE_MS,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const isWritable = await acceptsWrites(client);
    return { isWritable, timeline: isWritable ? await timelineOf(client) : null };
  } finally {
    void client.end().catch(() => undefined);
  }
}

async function acceptsWrites(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ readonly transaction_read_only: string }>({
    text: 'SHOW transaction_read_only',
    query_timeout: PROBE_MS,
  } as QueryConfig);
  return rows[0]?.transaction_read_only === 'off';
}

/**
 * The timeline of a PostgreSQL server: the first 8 characters of the name of its WAL file. Null if the server does not
 * report that name.
 */
async function timelineOf(client: Client): Promise<string | null> {
  try {
    const { rows } = await client.query<{ readonly timeline: string }>(
      'SELECT left(pg_walfile_name(pg_current_wal_lsn()), 8) AS timeline',
    );
    return rows[0]?.timeline ?? null;
  } catch {
    // Some managed PostgreSQL servers lack the functions `pg_walfile_name` and `pg_current_wal_lsn`.
    return null;
  }
}

type Connected = (error: Error | null) => void;

/** Returns a client class whose connections fail if the server does not accept writes. */
function writableClient(servers: PostgresServers): typeof Client {
  return class WritableClient extends Client {
    private readonly server: string;

    constructor(config?: string | ClientConfig) {
      const given = typeof config === 'string' ? {} : config;
      const server = servers.url;
      super({ ...given, connectionString: server });
      this.server = server;
      this.on('error', () => servers.suspect());
    }

    override connect(): Promise<Client>;
    override connect(callback: Connected): void;
    override connect(callback?: Connected): Promise<Client> | void {
      const connected = this.connectWritable();
      if (callback === undefined) return connected;
      connected.then(
        () => callback(null),
        (error: unknown) => callback(error instanceof Error ? error : new Error(String(error))),
      );
    }

    private async connectWritable(): Promise<Client> {
      try {
        await super.connect();
        if (!(await acceptsWrites(this))) throw new NotWritableError(hostOf(this.server));
        return this;
      } catch (error) {
        servers.suspect();
        void this.end().catch(() => undefined);
        throw error;
      }
    }
  };
}
