/**
 * Measures the gain from 1 to 8 processes on one PostgreSQL. `SCALE_AGAINST=<folder>` adds a second
 * build, measured in turns. In `slow` rows, every flush to disk takes 5 ms.
 * `SCALE_PROCESSES`, `SCALE_CLIENTS` (per process) and `SCALE_FLUSH` restrict the measurement.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { privatePostgres, type PrivateServer } from '../scripts/private-servers.mjs';
import { medians, round } from './load.ts';
import { type ServerProcess, startServer } from './server-process.ts';
import { makeDatabase } from './servers.ts';
import { clientOf, EMAIL, PASSWORD } from './service.ts';
import { ROUNDS, sized } from './size.ts';
import { type CpuFigures, createThreeSteps, measuredLoad, startsOfThreeSteps } from './three-steps.ts';

const PROCESSES = (process.env['SCALE_PROCESSES'] ?? '1,2,4,8').split(',').map(Number);
/** Per process. */
const CLIENTS = Number(process.env['SCALE_CLIENTS'] ?? 2);
/** Requests per client. */
const REQUESTS = { warmUp: sized(150, 40), measured: sized(300, 80) };
const LIMITS = JSON.stringify({ bench: { requests_per_minute: 10_000_000, burst: 10_000_000 } });

const FLUSHES: Readonly<Record<string, readonly string[]>> = {
  // In microseconds. `commit_siblings=0` delays each commit, even without concurrent ones.
  slow: ['commit_delay=5000', 'commit_siblings=0'],
  plain: [],
};

interface ScaleRow {
  readonly flush: string;
  readonly build: string;
  readonly processes: number;
  readonly clients: number;
  readonly per_second: number;
  readonly p50_ms: number;
  readonly p95_ms: number;
  readonly cpu_ms_each: number;
}

export async function scale(): Promise<readonly object[]> {
  const against = process.env['SCALE_AGAINST'];
  const builds = { present: '.', ...(against === undefined ? {} : { against: resolve(against) }) };
  const rows: ScaleRow[] = [];
  for (const [flush, options] of Object.entries(FLUSHES)) {
    if (![undefined, flush].includes(process.env['SCALE_FLUSH'])) continue;
    const server = await privatePostgres(['max_connections=300', ...options]);
    try {
      for (const processes of PROCESSES) rows.push(...(await inTurns(server, flush, processes, builds)));
    } finally {
      await server.stop();
    }
  }
  return rows.map((row) => ({ ...row, ...gains(row, rows) }));
}

async function inTurns(
  server: PrivateServer,
  flush: string,
  processes: number,
  builds: Readonly<Record<string, string>>,
): Promise<readonly ScaleRow[]> {
  const figures = new Map<string, CpuFigures[]>();
  for (let turn = 0; turn < ROUNDS; turn += 1)
    for (const [build, folder] of Object.entries(builds)) {
      const measured = figures.get(build) ?? [];
      figures.set(build, measured);
      measured.push(await measure(server, folder, processes));
    }
  return [...figures].map(([build, rounds]) => {
    const { perSecond, p50, p95, cpuMsEach } = medians(rounds);
    return {
      ...{ flush, build, processes, clients: processes * CLIENTS },
      ...{ per_second: perSecond, p50_ms: p50, p95_ms: p95, cpu_ms_each: round(cpuMsEach) },
    };
  });
}

/** Throughput and latency relative to one process of the same build. */
function gains(row: ScaleRow, rows: readonly ScaleRow[]): object {
  const one = rows.find(
    ({ flush, build, processes }) => flush === row.flush && build === row.build && processes === 1,
  );
  if (one === undefined) return {};
  return {
    throughput_ratio: round(row.per_second / one.per_second),
    p50_ratio: round(row.p50_ms / one.p50_ms),
  };
}

async function measure(server: PrivateServer, folder: string, processes: number): Promise<CpuFigures> {
  const database = await makeDatabase(server);
  const directories: string[] = [];
  const services: ServerProcess[] = [];
  const environment = (): Readonly<Record<string, string>> => {
    const directory = mkdtempSync(join(tmpdir(), 'workflow-bench-'));
    directories.push(directory);
    return {
      DATABASE_URL: database.url,
      DATA_DIR: directory,
      SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
      ROLE: 'all',
      PORT: '0',
      LOG_LEVEL: 'warn',
      RATE_LIMIT_PLANS: LIMITS,
      DEFAULT_PLAN: 'bench',
    };
  };
  try {
    const made = execFileSync(
      process.execPath,
      [join(folder, 'dist/src/cli/main.js'), 'bootstrap', '--email', EMAIL, '--password', PASSWORD, '--json'],
      { env: { ...process.env, ...environment() } },
    );
    const { key } = JSON.parse(made.toString()) as { readonly key: string };
    for (let index = 0; index < processes; index += 1)
      services.push(await startServer([join(folder, 'dist/src/main.js')], environment()));
    const client = clientOf(services[0]?.url ?? '', key);
    const clients = processes * CLIENTS;
    const load = startsOfThreeSteps({
      url: services.map(({ url }) => url),
      path: await createThreeSteps(client),
      headers: client.headers,
      clients,
    });
    const requests = { warmUp: REQUESTS.warmUp * clients, measured: REQUESTS.measured * clients };
    return await measuredLoad(load, requests, () =>
      services.reduce((sum, service) => sum + service.cpuMs(), 0),
    );
  } finally {
    await Promise.all(services.map((service) => service.stop()));
    await database.drop();
    for (const directory of directories) rmSync(directory, { recursive: true, force: true });
  }
}
