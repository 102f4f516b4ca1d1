/**
 * Measures throughput and latency with 1 to 8 processes of the service on one PostgreSQL server.
 * `SCALE_AGAINST=<folder>` names a second build, which is measured alternately. `SCALE_PROCESSES`, `SCALE_CLIENTS` (per
 * process) and `SCALE_CONDITIONS` restrict the measurement.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { privatePostgres, type PrivateServer } from '../scripts/private-servers.mjs';
import { type CpuLimit, limitCpu } from './cpu-share.ts';
import { medians, round, run } from './load.ts';
import { type ServerProcess, startServer } from './server-process.ts';
import { makeDatabase } from './servers.ts';
import { clientOf, EMAIL, PASSWORD } from './service.ts';
import { ROUNDS, sized } from './size.ts';
import { type CpuFigures, createThreeSteps, measuredRun, startsOfThreeSteps } from './three-steps.ts';

const PROCESSES = (process.env['SCALE_PROCESSES'] ?? '1,2,4,8').split(',').map(Number);
/** Number of clients for each process of the service. */
const CLIENTS = Number(process.env['SCALE_CLIENTS'] ?? 2);
/** Number of requests that each client sends in the measurement. */
const REQUESTS = sized(300, 80);
/**
 * Clients and requests in the warm-up of each process, the same as in W1. Without a long warm-up, a process with one
 * client would be measured before V8 has optimized its code.
 */
const WARM_UP = { clients: sized(64, 2), requests: sized(16_000, 80) };
const LIMITS = JSON.stringify({ bench: { requests_per_minute: 10_000_000, burst: 10_000_000 } });

interface Conditions {
  /** Command-line options of the PostgreSQL server. */
  readonly options: readonly string[];
  /** CPU seconds per second that each process of the service may use; absent for no limit. */
  readonly cpuShare?: number;
}

/**
 * Conditions of the measurement, by name. `commit_delay` is in microseconds. With `commit_siblings=0`, PostgreSQL
 * delays each commit even if no other transaction is active.
 */
const CONDITIONS: Readonly<Record<string, Conditions>> = {
  'flush of 5 ms': { options: ['commit_delay=5000', 'commit_siblings=0'] },
  'flush of 20 ms': { options: ['commit_delay=20000', 'commit_siblings=0'] },
  'plain disk': { options: [] },
  '8 % of a core each': { options: [], cpuShare: 0.08 },
};

interface ScaleRow {
  readonly conditions: string;
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
  for (const [conditions, { options, cpuShare }] of Object.entries(CONDITIONS)) {
    if (![undefined, conditions].includes(process.env['SCALE_CONDITIONS'])) continue;
    const server = await privatePostgres(['max_connections=300', ...options]);
    try {
      for (const processes of PROCESSES)
        for (const row of await inTurns(server, processes, builds, cpuShare))
          rows.push({ conditions, ...row });
    } finally {
      await server.stop();
    }
  }
  return rows.map((row) => ({ ...row, ...gains(row, rows) }));
}

async function inTurns(
  server: PrivateServer,
  processes: number,
  builds: Readonly<Record<string, string>>,
  cpuShare: number | undefined,
): Promise<readonly Omit<ScaleRow, 'conditions'>[]> {
  const figures = new Map<string, CpuFigures[]>();
  for (let turn = 0; turn < ROUNDS; turn += 1)
    for (const [build, folder] of Object.entries(builds)) {
      const measured = figures.get(build) ?? [];
      figures.set(build, measured);
      measured.push(await measure(server, folder, processes, cpuShare));
    }
  return [...figures].map(([build, rounds]) => {
    const { perSecond, p50, p95, cpuMsEach } = medians(rounds);
    return {
      ...{ build, processes, clients: processes * CLIENTS },
      ...{ per_second: perSecond, p50_ms: p50, p95_ms: p95, cpu_ms_each: round(cpuMsEach) },
    };
  });
}

/** Returns throughput and median latency as ratios to the same build with a single process. */
function gains(row: ScaleRow, rows: readonly ScaleRow[]): object {
  const one = rows.find(
    ({ conditions, build, processes }) =>
      conditions === row.conditions && build === row.build && processes === 1,
  );
  if (one === undefined) return {};
  return {
    throughput_ratio: round(row.per_second / one.per_second),
    p50_ratio: round(row.p50_ms / one.p50_ms),
  };
}

async function measure(
  server: PrivateServer,
  folder: string,
  processes: number,
  cpuShare: number | undefined,
): Promise<CpuFigures> {
  const database = await makeDatabase(server);
  const directories: string[] = [];
  const services: ServerProcess[] = [];
  const limits: CpuLimit[] = [];
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
    const load = startsOfThreeSteps({
      url: services.map(({ url }) => url),
      path: await createThreeSteps(client),
      headers: client.headers,
      clients: processes * CLIENTS,
    });
    await run({ ...load, clients: processes * WARM_UP.clients, requests: processes * WARM_UP.requests });
    if (cpuShare !== undefined) for (const { pid } of services) limits.push(limitCpu(pid, cpuShare));
    return await measuredRun({ ...load, requests: REQUESTS * load.clients }, () =>
      services.reduce((sum, service) => sum + service.cpuMs(), 0),
    );
  } finally {
    await Promise.all(services.map((service) => service.stop()));
    await Promise.all(limits.map((limit) => limit.remove()));
    await database.drop();
    for (const directory of directories) rmSync(directory, { recursive: true, force: true });
  }
}
