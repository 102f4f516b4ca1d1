/** W1: a workflow of three sequential steps, started over HTTP by 64 clients. W2: the same workflow with one client. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { withBound } from './bound-process.ts';
import { median, round } from './load.ts';
import { type ProfileSummary, summarize } from './profile.ts';
import type { ServerProcess } from './server-process.ts';
import { startService } from './service.ts';
import { ROUNDS, sized } from './size.ts';
import { type CpuFigures, createThreeSteps, measuredLoad, startsOfThreeSteps } from './three-steps.ts';

const CLIENTS = 64;
/**
 * Milliseconds between startup and the measurement of idle memory. During this time, Node.js releases memory of the
 * startup.
 */
const REST_MS = 2_500;
/**
 * Number of requests in the warm-up and the measurement. With a fixed duration instead, V8 might not optimize the code
 * on a slow machine.
 */
const REQUESTS = {
  many: { warmUp: sized(16_000, 500), measured: sized(16_000, 1_500) },
  one: { warmUp: sized(6_000, 200), measured: sized(3_000, 300) },
};

interface Measured extends CpuFigures {
  readonly idleMb: number;
  readonly startedInMs: number;
}

export function manyAtOnce(): Promise<Readonly<Record<string, unknown>>> {
  return compared(CLIENTS);
}

export function oneAtATime(): Promise<Readonly<Record<string, unknown>>> {
  return compared(1);
}

async function compared(clients: number): Promise<Readonly<Record<string, unknown>>> {
  const two: Measured[] = [];
  const one: Measured[] = [];
  const own: Measured[] = [];
  for (let turn = 0; turn < ROUNDS; turn += 1) {
    two.push(await bound('two', clients));
    own.push(await service(clients));
    one.push(await bound('one', clients));
  }
  const ratio = (to: readonly Measured[]): number =>
    round(median(own, (row) => row.perSecond) / median(to, (row) => row.perSecond));
  return {
    clients,
    rounds: ROUNDS,
    service: figures(own),
    bound: figures(two),
    bound_of_one_commit: figures(one),
    ratio: ratio(two),
    ratio_to_one_commit: ratio(one),
  };
}

function figures(rows: readonly Measured[]): Readonly<Record<string, number>> {
  return {
    per_second: median(rows, (row) => row.perSecond),
    p50_ms: median(rows, (row) => row.p50),
    p95_ms: median(rows, (row) => row.p95),
    p99_ms: median(rows, (row) => row.p99),
    cpu_ms_each: round(median(rows, (row) => row.cpuMsEach)),
    idle_mb: median(rows, (row) => row.idleMb),
    started_in_ms: median(rows, (row) => row.startedInMs),
  };
}

function bound(commits: 'one' | 'two', clients: number): Promise<Measured> {
  return withBound(commits, (server) => measure(server, '/', {}, clients));
}

/**
 * @param nodeArgs options of Node.js, such as those for a profile
 */
async function service(clients: number, nodeArgs: readonly string[] = []): Promise<Measured> {
  const started = await startService({ nodeArgs });
  try {
    return await measure(started.server, await createThreeSteps(started), started.headers, clients);
  } finally {
    await started.stop();
  }
}

/** Records a CPU profile in a separate run, because profiling slows the service down. */
export async function profile(): Promise<ProfileSummary> {
  const directory = mkdtempSync(join(tmpdir(), 'workflow-profile-'));
  try {
    await service(CLIENTS, ['--cpu-prof', `--cpu-prof-dir=${directory}`]);
    const [file] = readdirSync(directory);
    return summarize(join(directory, file ?? ''));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function measure(
  server: ServerProcess,
  path: string,
  headers: Readonly<Record<string, string>>,
  clients: number,
): Promise<Measured> {
  await pause(REST_MS);
  const idleMb = round(server.residentMb());
  const load = startsOfThreeSteps({ url: server.url, path, headers, clients });
  const taken = await measuredLoad(load, clients === 1 ? REQUESTS.one : REQUESTS.many, server.cpuMs);
  return { ...taken, idleMb, startedInMs: Math.round(server.startedInMs) };
}
