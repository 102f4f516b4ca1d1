/**
 * Measures W1, W2 and W3 of several variants of the service in alternating bursts, so that other load on the machine affects
 * all variants equally. `TURNS_OF` lists the variants: folders of other builds, or `present` (this build), `scraped` (its
 * metrics are read each second), `spans` (every span is exported) and `webhook` (another project has a webhook). Ratios
 * are relative to the first variant. `TURNS` is the number of times that all variants are started and measured; the
 * results are medians of these starts. By default, each variant is one process on SQLite. With
 * `TURNS_ROLES=all`, it is one process on PostgreSQL and Redis; with `TURNS_ROLES=api,worker`, an API process and a worker.
 */
import { basename } from 'node:path';
import { privatePostgres, privateRedis } from '../scripts/private-servers.mjs';
import { treesCpuMs } from './cpu.ts';
import { type Load, medians, round, run } from './load.ts';
import { startServer } from './server-process.ts';
import { type BenchedService, startService } from './service.ts';
import { sized } from './size.ts';
import { createLightNodes, type LightShape, startsOfLightNodes } from './w3.ts';
import { type SharedServers, startOnServers } from './service-on-servers.ts';
import { type CpuFigures, createThreeSteps, measuredRun, startsOfThreeSteps } from './three-steps.ts';

const CONTENDERS = (process.env['TURNS_OF'] ?? 'present,scraped,spans,webhook').split(',');
const TURNS = Number(process.env['TURNS'] ?? sized(6, 1));
const ROLES = process.env['TURNS_ROLES'];
/** Number of workers beside the process that responds to requests, by `TURNS_ROLES`. */
const WORKERS: Readonly<Record<string, number>> = { all: 0, 'api,worker': 1 };

interface Workload {
  /**
   * Creates the workflow of the workload.
   * @returns the load, without a number of requests
   */
  readonly create: (service: BenchedService) => Promise<Omit<Load, 'requests'>>;
  /** Number of executions before the measurement. */
  readonly warmUp: number;
  /** Number of executions in one burst. */
  readonly burst: number;
  /** Number of bursts for each start of a variant. */
  readonly bursts: number;
}

const WORKLOADS: Readonly<Record<string, Workload>> = {
  W1: {
    create: threeSteps(64),
    warmUp: sized(16_000, 500),
    burst: sized(1_600, 500),
    bursts: sized(20, 3),
  },
  W2: { create: threeSteps(1), warmUp: sized(500, 50), burst: sized(200, 100), bursts: sized(20, 3) },
  W3_chain_40: { create: lightNodes(40, 'chain'), ...lightly(200) },
  W3_parallel_40: { create: lightNodes(40, 'parallel'), ...lightly(200) },
  W3_chain_500: { create: lightNodes(500, 'chain'), ...lightly(20) },
  W3_parallel_500: { create: lightNodes(500, 'parallel'), ...lightly(40) },
};

function threeSteps(clients: number): Workload['create'] {
  return async (service) => {
    const { server, headers } = service;
    return startsOfThreeSteps({ url: server.url, path: await createThreeSteps(service), headers, clients });
  };
}

function lightNodes(nodes: number, shape: LightShape): Workload['create'] {
  return async (service) => {
    const { server, headers } = service;
    const path = await createLightNodes(service, nodes, shape);
    return startsOfLightNodes({ url: server.url, path, headers, clients: 1 });
  };
}

function lightly(burst: number): Omit<Workload, 'create'> {
  return { warmUp: sized(5 * burst, 2), burst: sized(burst, 2), bursts: sized(10, 2) };
}

const SCRAPE_MS = 1_000;

interface Contender {
  readonly folder?: string;
  readonly settings?: (receiver: URL) => Readonly<Record<string, string>>;
  /**
   * Starts an activity that runs while the service is measured.
   * @returns a function that ends the activity
   */
  readonly beside?: (service: BenchedService, receiver: URL) => Promise<() => Promise<void>>;
}

const METRICS_TOKEN = 'metrics-token-of-the-bench';
const OWN: Readonly<Record<string, Contender>> = {
  present: {},
  scraped: {
    settings: () => ({ METRICS_TOKEN }),
    beside: ({ server }) => {
      let last = Promise.resolve();
      const timer = setInterval(() => void (last = last.then(() => scrape(server.url))), SCRAPE_MS);
      return Promise.resolve(() => {
        clearInterval(timer);
        return last;
      });
    },
  },
  spans: { settings: ({ origin }) => ({ OTEL_EXPORTER_OTLP_ENDPOINT: origin }) },
  webhook: {
    settings: ({ host }) => ({ EGRESS_ALLOW: host }),
    beside: async ({ post }, { href }) => {
      const project = await post('/v1/projects', { name: 'Others' });
      await post('/v1/webhooks', { url: href, project_id: project.id });
      return () => Promise.resolve();
    },
  },
};

interface Launched {
  readonly service: BenchedService;
  readonly cpuMs: () => number;
  stop(): Promise<void>;
}

/** Figures of one start of a variant: means of its bursts, and ratios to the first variant. */
interface LaunchFigures {
  readonly per_second: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  readonly cpu_ms_each: number;
  readonly rate_ratio: number;
  readonly cpu_ratio: number;
}

export async function turns(): Promise<readonly object[]> {
  const collector = await startServer(['tools/bench/collector.ts']);
  const receiver = new URL(collector.url);
  const servers =
    ROLES === undefined ? undefined : { postgres: await privatePostgres([]), redis: await privateRedis([]) };
  const rows = new Map(CONTENDERS.map((name): [string, Record<string, LaunchFigures>[]] => [name, []]));
  try {
    for (let turn = 0; turn < TURNS; turn += 1) {
      const launched = new Map<string, Launched>();
      try {
        for (const name of rotated(CONTENDERS, turn))
          launched.set(name, await launch(OWN[name] ?? { folder: name }, receiver, servers));
        const measured = new Map(
          CONTENDERS.map((name): [string, Record<string, LaunchFigures>] => [name, {}]),
        );
        for (const [title, workload] of Object.entries(WORKLOADS))
          for (const [name, figures] of await inBursts(launched, workload))
            Object.assign(measured.get(name) ?? {}, { [title]: figures });
        for (const [name, figures] of measured) rows.get(name)?.push(figures);
      } finally {
        await Promise.all([...launched.values()].map((service) => service.stop()));
      }
    }
  } finally {
    await collector.stop();
    await servers?.postgres.stop();
    await servers?.redis.stop();
  }
  // Results name a build by the name of its folder, not by its path on this machine.
  return [...rows].map(([name, made]) => ({ contender: basename(name), launches: TURNS, ...medians(made) }));
}

async function launch(
  { folder = '.', settings, beside }: Contender,
  receiver: URL,
  servers: SharedServers | undefined,
): Promise<Launched> {
  const given = settings?.(receiver) ?? {};
  const { service, cpuMs, stop } =
    servers === undefined ? await startAlone(folder, given) : await startWith(servers, folder, given);
  const end = await beside?.(service, receiver);
  return {
    service,
    cpuMs,
    stop: async () => {
      await end?.();
      await stop();
    },
  };
}

type Started = Pick<Launched, 'cpuMs' | 'stop'> & { readonly service: BenchedService };

async function startAlone(folder: string, settings: Readonly<Record<string, string>>): Promise<Started> {
  const service = await startService({ folder, settings });
  return { service, cpuMs: service.server.cpuMs, stop: service.stop };
}

async function startWith(
  servers: SharedServers,
  folder: string,
  settings: Readonly<Record<string, string>>,
): Promise<Started> {
  const workers = WORKERS[ROLES ?? ''];
  if (workers === undefined) throw new Error(`TURNS_ROLES must be ${Object.keys(WORKERS).join(' or ')}.`);
  const { api, pids, stop } = await startOnServers(folder, workers, servers, settings);
  return { service: api, cpuMs: () => treesCpuMs(pids), stop };
}

/** Returns the entries in the same cyclic order, beginning with the entry at index `start` (modulo the length). */
function rotated<T>(list: readonly T[], start: number): readonly T[] {
  const first = start % list.length;
  return [...list.slice(first), ...list.slice(0, first)];
}

/**
 * Measures variants that are already running, in short alternating bursts. Each round reverses the order of the
 * variants. The speed of a machine often changes within seconds, and short bursts spread each change over all variants.
 * The warm-up also alternates: V8 would shrink the heap of a variant that idles while the others warm up.
 */
async function inBursts(
  services: ReadonlyMap<string, Launched>,
  { create, warmUp, burst, bursts }: Workload,
): Promise<ReadonlyMap<string, LaunchFigures>> {
  const loads = new Map<string, { readonly load: Omit<Load, 'requests'>; readonly cpuMs: () => number }>();
  for (const [name, { service, cpuMs }] of services) loads.set(name, { load: await create(service), cpuMs });
  for (let sent = 0; sent < warmUp; sent += burst)
    for (const { load } of loads.values()) await run({ ...load, requests: burst });
  const measured = new Map([...services.keys()].map((name): [string, CpuFigures[]] => [name, []]));
  for (let number = 0; number < bursts; number += 1) {
    const order = [...loads];
    for (const [name, { load, cpuMs }] of number % 2 === 0 ? order : order.toReversed())
      measured.get(name)?.push(await measuredRun({ ...load, requests: burst }, cpuMs));
  }
  const means = new Map([...measured].map(([name, figures]) => [name, meansOf(figures)]));
  const reference = means.get(CONTENDERS[0] ?? '');
  return new Map(
    [...means].map(([name, row]) => [
      name,
      {
        per_second: Math.round(row.per_second),
        p50_ms: round(row.p50_ms),
        p99_ms: round(row.p99_ms),
        cpu_ms_each: thousandths(row.cpu_ms_each),
        rate_ratio: thousandths(row.per_second / (reference?.per_second ?? 0)),
        cpu_ratio: thousandths(row.cpu_ms_each / (reference?.cpu_ms_each ?? 0)),
      },
    ]),
  );
}

function meansOf(figures: readonly CpuFigures[]): Omit<LaunchFigures, 'rate_ratio' | 'cpu_ratio'> {
  const mean = (of: (one: CpuFigures) => number): number =>
    figures.reduce((sum, one) => sum + of(one), 0) / figures.length;
  return {
    per_second: 1 / mean(({ perSecond }) => 1 / perSecond),
    p50_ms: mean(({ p50 }) => p50),
    p99_ms: mean(({ p99 }) => p99),
    cpu_ms_each: mean(({ cpuMsEach }) => cpuMsEach),
  };
}

function thousandths(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}

async function scrape(url: string): Promise<void> {
  const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
  if (!response.ok) throw new Error(`/metrics returned ${response.status}: ${await response.text()}`);
  await response.text();
}
