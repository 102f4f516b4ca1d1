/**
 * Starts temporary PostgreSQL and Redis servers for benchmarks. Unlike the servers for tests, these servers write
 * durably.
 */
import pg from 'pg';
import { type PrivateServer, privatePostgres, privateRedis } from '../scripts/private-servers.mjs';
import type { Servers } from './peers/contender.ts';

/** Command-line options of PostgreSQL. PostgreSQL is durable by default, so no option sets durability. */
const POSTGRES_OPTIONS = ['max_connections=200'];
/** Command-line options of Redis, from BullMQ's production guide: https://docs.bullmq.io/guide/going-to-production. */
const REDIS_OPTIONS = [
  '--appendonly',
  'yes',
  '--appendfsync',
  'everysec',
  '--maxmemory-policy',
  'noeviction',
];

export const POSTGRES_DURABLE = 'yes: PostgreSQL, fsync and synchronous_commit on';

export async function withServers<T>(work: (servers: Servers) => Promise<T>): Promise<T> {
  let postgres: Promise<PrivateServer> | undefined;
  let redis: Promise<PrivateServer> | undefined;
  try {
    return await work({
      postgres: () => (postgres ??= privatePostgres(POSTGRES_OPTIONS)),
      redis: () => (redis ??= privateRedis(REDIS_OPTIONS)),
    });
  } finally {
    for (const server of await Promise.allSettled([postgres, redis]))
      if (server.status === 'fulfilled') await server.value?.stop();
  }
}

export interface Database {
  readonly url: string;
  drop(): Promise<void>;
}

let made = 0;

export async function makeDatabase(server: PrivateServer): Promise<Database> {
  made += 1;
  const name = `bench_${made}`;
  await execute(server, `CREATE DATABASE ${name}`);
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => execute(server, `DROP DATABASE ${name} WITH (FORCE)`) };
}

/**
 * Runs a measurement twice: on SQLite, and on a temporary PostgreSQL server.
 * @param measure gets the settings that select the database
 */
export async function onBothDatabases<T>(
  measure: (database: string, settings: Readonly<Record<string, string>>) => Promise<T>,
): Promise<readonly T[]> {
  const sqlite = await measure('sqlite', {});
  const postgres = await withServers(async (servers) => {
    const database = await makeDatabase(await servers.postgres());
    try {
      return await measure('postgres', { DATABASE_URL: database.url });
    } finally {
      await database.drop();
    }
  });
  return [sqlite, postgres];
}

async function execute(server: PrivateServer, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
