/**
 * Measures the cost of an execution of three steps: CPU, transactions, write-ahead log and storage.
 * docs/deployment.md shows the figures.
 */
import { join } from 'node:path';
import BetterSqlite from 'better-sqlite3';
import pg from 'pg';
import { treesCpuMs } from './cpu.ts';
import { inRounds, round, run } from './load.ts';
import { makeDatabase, withServers } from './servers.ts';
import { startService } from './service.ts';
import { sized } from './size.ts';
import { createThreeSteps, startsOfThreeSteps } from './three-steps.ts';

const CLIENTS = [1, 64] as const;
const PER_CLIENTS = { 1: sized(2_000, 200), 64: sized(12_000, 600) } as const;
const WARM_UP = sized(1_000, 100);

export interface Capacity {
  readonly database: 'sqlite' | 'postgres';
  readonly clients: number;
  readonly per_second: number;
  /** Throughput for each CPU core that the service and the database keep fully busy, in executions per second. */
  readonly per_second_a_core: number;
  readonly service_cpu_ms: number;
  /**
   * CPU time of the database server per execution, in milliseconds. Null on SQLite, which runs inside the process of
   * the service.
   */
  readonly database_cpu_ms: number | null;
  /** Number of PostgreSQL transactions per execution, including read-only transactions. Null on SQLite. */
  readonly transactions: number | null;
  readonly wal_bytes: number | null;
  readonly stored_bytes: number;
  /** Number of connections from the service to PostgreSQL after the measurement. Null on SQLite. */
  readonly connections: number | null;
}

interface Counters {
  readonly transactions: number;
  readonly wal: number;
  readonly stored: number;
  readonly connections: number;
}

interface Measured {
  readonly database: Capacity['database'];
  readonly settings: Readonly<Record<string, string>>;
  /** Process id of the database server; null on SQLite, which has no server process. */
  readonly pid: number | null;
  count(directory: string): Promise<Counters>;
}

export async function capacity(): Promise<readonly Capacity[]> {
  const rows: Capacity[] = [];
  for (const clients of CLIENTS) {
    rows.push(await inRounds(() => measure(SQLITE, clients)));
    rows.push(
      await withServers(async (servers) => {
        const server = await servers.postgres();
        return await inRounds(async () => {
          const database = await makeDatabase(server);
          try {
            return await measure(onPostgres(database.url, server.pid), clients);
          } finally {
            await database.drop();
          }
        });
      }),
    );
  }
  return rows;
}

const SQLITE: Measured = {
  database: 'sqlite',
  settings: {},
  pid: null,
  count: (directory) =>
    Promise.resolve({
      transactions: 0,
      wal: 0,
      stored: bytesOf(join(directory, 'workflow.sqlite')),
      connections: 0,
    }),
};

/** Returns the size of an open SQLite database in bytes, including pages that are still in the write-ahead log. */
function bytesOf(path: string): number {
  const file = new BetterSqlite(path, { readonly: true });
  try {
    const number = (pragma: string): number => Number(file.pragma(pragma, { simple: true }));
    return number('page_count') * number('page_size');
  } finally {
    file.close();
  }
}

function onPostgres(url: string, pid: number): Measured {
  return {
    database: 'postgres',
    settings: { DATABASE_URL: url },
    pid,
    count: async () => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      try {
        // PostgreSQL updates its statistics at most once a second, so the query waits 2 s before it reads them.
        const { rows } = await client.query<Record<keyof Counters, string>>(
          `SELECT xact_commit AS transactions, pg_current_wal_lsn() - '0/0' AS wal, pg_database_size(datname) AS stored,
             (SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()) AS connections
           FROM pg_stat_database, pg_sleep(2) WHERE datname = current_database()`,
        );
        const [row] = rows;
        if (row === undefined) throw new Error('PostgreSQL has no statistics of the database.');
        return {
          transactions: Number(row.transactions),
          wal: Number(row.wal),
          stored: Number(row.stored),
          connections: Number(row.connections),
        };
      } finally {
        await client.end();
      }
    },
  };
}

async function measure(
  { database, settings, pid, count }: Measured,
  clients: (typeof CLIENTS)[number],
): Promise<Capacity> {
  const service = await startService({ settings });
  try {
    const load = startsOfThreeSteps({
      url: service.server.url,
      path: await createThreeSteps(service),
      headers: service.headers,
      clients,
    });
    const directory = service.environment['DATA_DIR'] ?? '';
    const cpu = (): readonly [number, number] => [
      treesCpuMs([service.server.pid]),
      pid === null ? 0 : treesCpuMs([pid]),
    ];
    await run({ ...load, requests: WARM_UP });
    const [before, [serviceBefore, databaseBefore]] = [await count(directory), cpu()];
    const { perSecond, count: executions } = await run({ ...load, requests: PER_CLIENTS[clients] });
    const [serviceAfter, databaseAfter] = cpu();
    const after = await count(directory);
    const each = (total: number): number => round(total / executions);
    const [ofService, ofDatabase] = [
      each(serviceAfter - serviceBefore),
      each(databaseAfter - databaseBefore),
    ];
    const isPostgres = pid !== null;
    return {
      database,
      clients,
      per_second: perSecond,
      per_second_a_core: Math.round(1_000 / (ofService + ofDatabase)),
      service_cpu_ms: ofService,
      database_cpu_ms: isPostgres ? ofDatabase : null,
      transactions: isPostgres ? each(after.transactions - before.transactions) : null,
      wal_bytes: isPostgres ? Math.round(each(after.wal - before.wal)) : null,
      stored_bytes: Math.round(each(after.stored - before.stored)),
      connections: isPostgres ? after.connections : null,
    };
  } finally {
    await service.stop();
  }
}
