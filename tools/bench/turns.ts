/**
 * Measures W1 and W2 of several variants of the service in alternating bursts, so that other load on the machine affects
 * all variants equally. `TURNS_OF` lists the variants: folders of other builds, or `present` (this build), `scraped` (its
 * metrics are read each second), `spans` (every span is exported) and `webhook` (another project has a webhook). Ratios
 * are relative to the first variant. `TURNS` is the number of times that all variants are started and measured; the
 * results are medians of these starts.
 */
import { basename } from 'node:path';
import { type Load, medians, round, run } from './load.ts';
import { startServer } from './server-process.ts';
import { type BenchedService, startService } from './service.ts';
import { sized } from './size.ts';
import { type CpuFigures, createThreeSteps, measuredRun, startsOfThreeSteps } from './three-steps.ts';

const CONTENDERS = (process.env['TURNS_OF'] ?? 'present,scraped,spans,webhook').split(',');
const TURNS = Number(process.env['TURNS'] ?? sized(6, 1));

interface Workload {
  readonly clients: number;
  /** Number of executions before the measurement. */
  readonly warmUp: number;
  /** Number of executions in one burst. */
  readonly burst: number;
  /** Number of bursts for each start of a variant. */
  readonly bursts: number;
}

const W1: Workload = {
  clients: 64,
  warmUp: sized(16_000, 500),
  burst: sized(1_600, 500),
  bursts: sized(20, 3),
};
const W2: Workload = { clients: 1, warmUp: sized(500, 50), burst: sized(200, 100), bursts: sized(20, 3) };
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
  readonly load: (clients: number) => Omit<Load, 'requests'>;
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
  const rows = new Map(
    CONTENDERS.map((name): [string, { readonly W1: LaunchFigures; readonly W2: LaunchFigures }[]] => [
      name,
      [],
    ]),
  );
  try {
    for (let turn = 0; turn < TURNS; turn += 1) {
      const launched = new Map<string, Launched>();
      try {
        for (const name of rotated(CONTENDERS, turn))
          launched.set(name, await launch(OWN[name] ?? { folder: name }, receiver));
        const many = await inBursts(launched, W1);
        const one = await inBursts(launched, W2);
        for (const name of CONTENDERS) {
          const [w1, w2] = [many.get(name), one.get(name)];
          if (w1 !== undefined && w2 !== undefined) rows.get(name)?.push({ W1: w1, W2: w2 });
        }
      } finally {
        await Promise.all([...launched.values()].map((service) => service.stop()));
      }
    }
  } finally {
    await collector.stop();
  }
  // Results name a build by the name of its folder, not by its path on this machine.
  return [...rows].map(([name, made]) => ({ contender: basename(name), launches: TURNS, ...medians(made) }));
}

async function launch({ folder = '.', settings, beside }: Contender, receiver: URL): Promise<Launched> {
  const service = await startService({ settings: settings?.(receiver) ?? {}, folder });
  const path = await createThreeSteps(service);
  const end = await beside?.(service, receiver);
  return {
    load: (clients) =>
      startsOfThreeSteps({ url: service.server.url, path, headers: service.headers, clients }),
    cpuMs: service.server.cpuMs,
    stop: async () => {
      await end?.();
      await service.stop();
    },
  };
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
  { clients, warmUp, burst, bursts }: Workload,
): Promise<ReadonlyMap<string, LaunchFigures>> {
  for (let sent = 0; sent < warmUp; sent += burst)
    for (const { load } of services.values()) await run({ ...load(clients), requests: burst });
  const measured = new Map([...services.keys()].map((name): [string, CpuFigures[]] => [name, []]));
  for (let number = 0; number < bursts; number += 1) {
    const order = [...services];
    for (const [name, { load, cpuMs }] of number % 2 === 0 ? order : order.toReversed())
      measured.get(name)?.push(await measuredRun({ ...load(clients), requests: burst }, cpuMs));
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
