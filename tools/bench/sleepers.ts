/**
 * Benchmarks the service with a million executions that wait in a `delay` node: startup time, CPU time while idle, and
 * latency of wake-ups.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { quantile, round } from './load.ts';
import { type ServerProcess, startServer } from './server-process.ts';
import { onBothDatabases } from './servers.ts';
import { type BenchedService, startService } from './service.ts';
import { sized } from './size.ts';
import { writeSleeping } from './sleeping-rows.ts';
import { fileOf } from './w6.ts';

const SLEEPERS = sized(1_000_000, 3_000);
const NAP_SECONDS = 3_500;
const WOKEN_SLEEPERS = sized(10, 3);
const WAKE_GAP_MS = 2_000;
/**
 * Duration of the measurement without due executions, in milliseconds. It is over a minute, because some background
 * tasks run once a minute.
 */
const IDLE_MS = sized(70_000, 2_000);
/** Milliseconds to wait between the startup of the service and the measurement. */
const SETTLE_MS = sized(5_000, 1_000);
/**
 * Milliseconds from writing the rows to the first wake-up. Startup and the idle measurement end before the first
 * wake-up.
 */
const AHEAD_MS = IDLE_MS + SETTLE_MS + sized(40_000, 15_000);
/** Milliseconds that unmeasured executions sleep, so that they wake up long after the end of the measurement. */
const LATER_MS = 1_800_000;
const SPREAD_MS = 1_500_000;
const POLL_MS = 2;

export interface SleeperFigures {
  readonly database: string;
  readonly sleeping: number;
  readonly start_ms: { readonly empty: number; readonly full: number };
  readonly memory_mb: { readonly empty: number; readonly full: number };
  readonly idle_cpu_percent: { readonly empty: number; readonly full: number };
  /** Milliseconds from the due time of an execution until a client sees that the execution has ended. */
  readonly woken_ms: { readonly p50: number; readonly max: number };
}

export function sleepers(): Promise<readonly SleeperFigures[]> {
  return onBothDatabases(measured);
}

async function measured(database: string, more: Readonly<Record<string, string>>): Promise<SleeperFigures> {
  const service = await startService({ settings: more });
  try {
    const { id: workflowId } = await service.post('/v1/workflows', {
      name: 'sleeper',
      config: { timeout_seconds: 3_600 },
      nodes: [{ id: 'nap', type: 'delay', with: { seconds: NAP_SECONDS } }],
    });
    const { id } = await service.post(`/v1/workflows/${workflowId}/executions`, { input: { n: 1 } });
    while ((await service.get<Shown>(`/v1/executions/${id}`)).status !== 'waiting') await pause(20);
    await service.server.stop();
    const empty = await started(service, (server) => idle(server));

    const url = more['DATABASE_URL'] ?? fileOf(service);
    const others = Date.now() + LATER_MS;
    await writeSleeping(url, id, { from: WOKEN_SLEEPERS, to: SLEEPERS }, (index) =>
      Math.round(others + (index / SLEEPERS) * SPREAD_MS),
    );
    const planned = Date.now() + AHEAD_MS;
    const idOf = await writeSleeping(
      url,
      id,
      { from: 0, to: WOKEN_SLEEPERS },
      (index) => planned + index * WAKE_GAP_MS,
    );
    const full = await started(service, async (server) => {
      const figures = await idle(server);
      if (Date.now() > planned) throw new Error('An execution was due before the measurement began.');
      const lateness: number[] = [];
      for (let index = 0; index < WOKEN_SLEEPERS; index += 1)
        lateness.push(await woken(service, server, idOf(index), planned + index * WAKE_GAP_MS));
      return { ...figures, lateness };
    });
    return {
      database,
      sleeping: SLEEPERS,
      start_ms: { empty: empty.startMs, full: full.startMs },
      memory_mb: { empty: empty.memoryMb, full: full.memoryMb },
      idle_cpu_percent: { empty: empty.cpuPercent, full: full.cpuPercent },
      woken_ms: { p50: round(quantile(full.lateness, 0.5)), max: round(Math.max(...full.lateness)) },
    };
  } finally {
    await service.stop();
  }
}

interface Shown {
  readonly status: string;
}

async function started<T>(
  { environment }: BenchedService,
  work: (server: ServerProcess) => Promise<T>,
): Promise<T> {
  const server = await startServer(['dist/src/main.js'], environment);
  try {
    return await work(server);
  } finally {
    await server.stop();
  }
}

interface IdleFigures {
  readonly startMs: number;
  readonly memoryMb: number;
  readonly cpuPercent: number;
}

async function idle(server: ServerProcess): Promise<IdleFigures> {
  await pause(SETTLE_MS);
  const cpu = server.cpuMs();
  await pause(IDLE_MS);
  return {
    startMs: round(server.startedInMs),
    memoryMb: round(server.residentMb()),
    cpuPercent: round(((server.cpuMs() - cpu) / IDLE_MS) * 100),
  };
}

/**
 * @returns milliseconds from the due time until a client sees the end
 */
async function woken(
  { headers }: BenchedService,
  { url }: ServerProcess,
  id: string,
  due: number,
): Promise<number> {
  await pause(Math.max(0, due - Date.now() - 100));
  for (;;) {
    const answer = await fetch(`${url}/v1/executions/${id}`, { headers });
    const { status } = (await answer.json()) as Shown;
    if (status === 'completed') return Date.now() - due;
    await pause(POLL_MS);
  }
}
