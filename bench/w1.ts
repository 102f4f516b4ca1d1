/** W1: a durable workflow of three sequential steps, started over HTTP with `wait`, by 64 clients at once. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Figures, type Load, round, run } from './load.ts';
import { summarise } from './profile.ts';
import { type ServerProcess, startServer } from './server-process.ts';
import { startService } from './service.ts';

const CLIENTS = 64;
const WARM_UP_SECONDS = 2;
const SECONDS = 6;

const NODES = [
  { id: 'a', type: 'set', with: { value: '{{ input.n + 1 }}' } },
  { id: 'b', type: 'set', with: { value: '{{ nodes.a.output * 2 }}' } },
  { id: 'c', type: 'set', with: { value: 'result {{ nodes.b.output }}' } },
];

export interface Measured extends Figures {
  readonly cpuMsEach: number;
  readonly idleMb: number;
  readonly startedInMs: number;
}

export async function bound(): Promise<Measured> {
  const directory = mkdtempSync(join(tmpdir(), 'workflow-bound-'));
  const server = await startServer(['bench/bound.ts', join(directory, 'bound.sqlite')]);
  try {
    return await measure(server, '/', {});
  } finally {
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** @param nodeArgs options of the runtime, as for a profile */
export async function service(nodeArgs: readonly string[] = []): Promise<Measured> {
  const started = await startService(nodeArgs);
  try {
    const workflow = await started.post('/v1/workflows', { name: 'three steps', nodes: NODES });
    return await measure(started.server, `/v1/workflows/${workflow.id}/executions?wait=30`, started.headers);
  } finally {
    await started.stop();
  }
}

/** The service once more under the profiler, so that profiling costs no measurement. */
export async function profile(): Promise<ReturnType<typeof summarise>> {
  const directory = mkdtempSync(join(tmpdir(), 'workflow-profile-'));
  try {
    await service(['--cpu-prof', `--cpu-prof-dir=${directory}`]);
    const [file] = readdirSync(directory);
    return summarise(join(directory, file ?? ''));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function measure(
  server: ServerProcess,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<Measured> {
  const idleMb = round(server.residentMb());
  const load: Omit<Load, 'seconds'> = {
    url: server.url,
    path,
    headers,
    clients: CLIENTS,
    body: (n) => JSON.stringify({ input: { n } }),
    check: (status, body) => {
      const answer = JSON.parse(body) as { readonly status: string; readonly output: string };
      if (status !== 201 || answer.status !== 'completed' || !answer.output.startsWith('result '))
        throw new Error(`Answered ${status}: ${body}`);
    },
  };
  await run({ ...load, seconds: WARM_UP_SECONDS });
  const before = server.cpuMs();
  const figures = await run({ ...load, seconds: SECONDS });
  return {
    ...figures,
    cpuMsEach: round((server.cpuMs() - before) / figures.count),
    idleMb,
    startedInMs: Math.round(server.startedInMs),
  };
}
