/**
 * Measures how an API process notifies the workers of new executions: one process with `ROLE=api`, and 1, 8 or 16
 * processes with `ROLE=worker`, on one PostgreSQL and one Redis. `WAKE_UPS_AGAINST` lists folders of other builds,
 * which are measured alternately. `WAKE_UPS_WORKERS` restricts the numbers of workers.
 */
import { basename } from 'node:path';
import pg from 'pg';
import { privatePostgres, privateRedis } from '../scripts/private-servers.mjs';
import { treesCpuMs } from './cpu.ts';
import { medians, round } from './load.ts';
import { ROUNDS, sized } from './size.ts';
import { type SharedServers, startOnServers } from './service-on-servers.ts';
import { createThreeSteps, measuredLoad, startsOfThreeSteps } from './three-steps.ts';

const WORKERS = (process.env['WAKE_UPS_WORKERS'] ?? '1,8,16').split(',').map(Number);
/** Measured loads: number of clients, and number of executions per client in the warm-up and the measurement. */
const LOADS = [
  { clients: 1, warmUp: sized(100, 30), measured: sized(400, 60) },
  { clients: 64, warmUp: sized(30, 5), measured: sized(60, 10) },
];
const OPTIONS = ['max_connections=400', 'shared_preload_libraries=pg_stat_statements'];

interface Measured {
  readonly perSecond: number;
  readonly p50: number;
  readonly p95: number;
  /** CPU time of all processes of the service per execution, in milliseconds. */
  readonly serviceCpu: number;
  /** CPU time of PostgreSQL and Redis per execution, in milliseconds. */
  readonly serversCpu: number;
  /** Number of SQL statements per execution that try to claim executions. One statement per execution would suffice. */
  readonly claims: number;
}

export async function wakeUps(): Promise<readonly object[]> {
  const against = process.env['WAKE_UPS_AGAINST']?.split(',') ?? [];
  // Results name a build by the name of its folder, not by its path on this machine.
  const builds = new Map([['present', '.'], ...against.map((folder) => [basename(folder), folder] as const)]);
  const postgres = await privatePostgres(OPTIONS);
  const redis = await privateRedis([]);
  const rows: object[] = [];
  try {
    for (const workers of WORKERS) {
      const turns = new Map([...builds.keys()].map((build) => [build, LOADS.map((): Measured[] => [])]));
      for (let turn = 0; turn < ROUNDS; turn += 1)
        for (const [build, measured] of turns) {
          const figures = await measure(builds.get(build) ?? '.', workers, { postgres, redis });
          figures.forEach((figure, index) => measured[index]?.push(figure));
        }
      for (const [build, measured] of turns)
        for (const [index, { clients }] of LOADS.entries()) {
          const row = medians(measured[index] ?? []);
          rows.push({
            ...{ build, workers, clients, per_second: row.perSecond, p50_ms: row.p50, p95_ms: row.p95 },
            ...{ service_cpu_ms: round(row.serviceCpu), servers_cpu_ms: round(row.serversCpu) },
            claims_each: round(row.claims),
          });
        }
    }
  } finally {
    await postgres.stop();
    await redis.stop();
  }
  return rows;
}

async function measure(
  folder: string,
  workers: number,
  servers: SharedServers,
): Promise<readonly Measured[]> {
  const service = await startOnServers(folder, workers, servers);
  const { api, pids, databaseUrl } = service;
  const serversCpuMs = (): number => treesCpuMs([servers.postgres.pid, servers.redis.pid]);
  try {
    const path = await createThreeSteps(api);
    const figures: Measured[] = [];
    for (const { clients, warmUp, measured } of LOADS) {
      const requests = { warmUp: warmUp * clients, measured: measured * clients };
      const load = startsOfThreeSteps({ url: api.server.url, path, headers: api.headers, clients });
      const total = requests.warmUp + requests.measured;
      const claims = await claimsOf(databaseUrl);
      const serversCpu = serversCpuMs();
      const { perSecond, p50, p95, cpuMsEach } = await measuredLoad(load, requests, () => treesCpuMs(pids));
      figures.push({
        ...{ perSecond, p50, p95, serviceCpu: cpuMsEach },
        serversCpu: (serversCpuMs() - serversCpu) / total,
        claims: ((await claimsOf(databaseUrl)) - claims) / total,
      });
    }
    return figures;
  } finally {
    await service.stop();
  }
}

/** Returns the number of claim statements that PostgreSQL has executed so far. */
async function claimsOf(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
    const { rows } = await client.query<{ readonly calls: string | null }>(
      `SELECT sum(calls) AS calls FROM pg_stat_statements JOIN pg_database ON pg_database.oid = dbid
       WHERE datname = current_database() AND query LIKE '%later_at%' AND query NOT LIKE '%pg_stat_statements%'`,
    );
    return Number(rows[0]?.calls ?? 0);
  } finally {
    await client.end();
  }
}
