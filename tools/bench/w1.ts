/**
 * W1: a durable workflow of three sequential steps, started over HTTP with `wait` by 64 concurrent clients. W2: the
 * same with one client.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { withBound } from './bound-process.ts';
import { type Figures, type Load, median, round, run } from './load.ts';
import { type ProfileSummary, summarize } from './profile.ts';
import type { ServerProcess } from './server-process.ts';
import { startService } from './service.ts';
import { ROUNDS, sized } from './size.ts';

const CLIENTS = 64;
/** Wait before measuring idle memory: after startup the runtime still releases memory. */
const REST_MS = 2_500;
/** Measured in requests, not seconds: on a busy machine a fixed time could end before the code is optimized. */
const REQUESTS = {
  many: { warmUp: sized(16_000, 500), measured: sized(16_000, 1_500) },
  one: { warmUp: sized(6_000, 200), measured: sized(3_000, 300) },
};

export const THREE_STEPS = [
  { id: 'a', type: 'set', with: { value: '{{ input.n + 1 }}' } },
  { id: 'b', type: 'set', with: { value: '{{ nodes.a.output * 2 }}' } },
  { id: 'c', type: 'set', with: { value: 'result {{ nodes.b.output }}' } },
];

interface Measured extends Figures {
  readonly cpuMsEach: number;
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
    cpu_ms_each: median(rows, (row) => row.cpuMsEach),
    idle_mb: median(rows, (row) => row.idleMb),
    started_in_ms: median(rows, (row) => row.startedInMs),
  };
}

function bound(commits: 'one' | 'two', clients: number): Promise<Measured> {
  return withBound(commits, (server) => measure(server, '/', {}, clients));
}

/** @param nodeArgs options of Node.js, such as those for a profile */
async function service(clients: number, nodeArgs: readonly string[] = []): Promise<Measured> {
  const started = await startService(nodeArgs);
  try {
    const workflow = await started.post('/v1/workflows', { name: 'three steps', nodes: THREE_STEPS });
    const path = `/v1/workflows/${workflow.id}/executions?wait=30`;
    return await measure(started.server, path, started.headers, clients);
  } finally {
    await started.stop();
  }
}

/** Runs the service once more under the profiler, so that profiling does not distort the measurement. */
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
  const load: Omit<Load, 'requests'> = {
    url: server.url,
    path,
    headers,
    clients,
    body: (n) => JSON.stringify({ input: { n } }),
    check: (status, body) => {
      const answer = JSON.parse(body) as { readonly status: string; readonly output: string };
      if (status !== 201 || answer.status !== 'completed' || !answer.output.startsWith('result '))
        throw new Error(`Answered ${status}: ${body}`);
    },
  };
  const { warmUp, measured } = clients === 1 ? REQUESTS.one : REQUESTS.many;
  await run({ ...load, requests: warmUp });
  const before = server.cpuMs();
  const taken = await run({ ...load, requests: measured });
  return {
    ...taken,
    cpuMsEach: round((server.cpuMs() - before) / taken.count),
    idleMb,
    startedInMs: Math.round(server.startedInMs),
  };
}
