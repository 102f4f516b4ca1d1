/**
 * Measures W1 and W2 of several variants of the service alternately, so that other load on the machine affects all
 * variants equally. `TURNS_OF` lists the variants: folders of other builds, or `present` (this build), `scraped` (its
 * metrics are read each second), `spans` (every span is exported) and `webhook` (another project has a webhook). Ratios
 * are relative to the first variant. `TURNS` is the number of times that each variant is started and measured.
 */
import { basename } from 'node:path';
import { medians } from './load.ts';
import { startServer } from './server-process.ts';
import { type BenchedService, startService } from './service.ts';
import { sized } from './size.ts';
import { type CpuFigures, createThreeSteps, measuredLoad, startsOfThreeSteps } from './three-steps.ts';

const CONTENDERS = (process.env['TURNS_OF'] ?? 'present,scraped,spans,webhook').split(',');
const TURNS = Number(process.env['TURNS'] ?? sized(6, 1));
/**
 * Load of W1: number of clients, and number of executions in the warm-up and in the measurement. The
 * measurement is repeated after each start of a variant.
 */
const MANY = { clients: 64, warmUp: sized(16_000, 500), measured: sized(32_000, 1_500) };
const ONE = { clients: 1, warmUp: sized(500, 50), measured: sized(3_000, 300) };
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

interface Launch {
  readonly many: CpuFigures;
  readonly one: CpuFigures;
}

export async function turns(): Promise<readonly object[]> {
  const collector = await startServer(['tools/bench/collector.ts']);
  const receiver = new URL(collector.url);
  const launches = new Map(CONTENDERS.map((name): [string, Launch[]] => [name, []]));
  try {
    for (let turn = 0; turn < TURNS; turn += 1)
      for (const [name, rows] of launches) rows.push(await launch(OWN[name] ?? { folder: name }, receiver));
  } finally {
    await collector.stop();
  }
  // Results name a build by the name of its folder, not by its path on this machine.
  const rows = [...launches].map(([name, made]) => ({ contender: basename(name), ...medians(made) }));
  const [reference] = rows;
  return rows.map(({ contender, many, one }) => ({
    contender,
    launches: TURNS,
    W1: figures(many, reference?.many),
    W2: figures(one, reference?.one),
  }));
}

function figures(row: CpuFigures, reference: CpuFigures = row): Readonly<Record<string, number>> {
  return {
    per_second: row.perSecond,
    p50_ms: row.p50,
    p99_ms: row.p99,
    cpu_ms_each: Math.round(row.cpuMsEach * 10_000) / 10_000,
    rate_ratio: ratio(row.perSecond, reference.perSecond),
    cpu_ratio: ratio(row.cpuMsEach, reference.cpuMsEach),
  };
}

function ratio(value: number, to: number): number {
  return Math.round((value / to) * 1_000) / 1_000;
}

async function launch({ folder = '.', settings, beside }: Contender, receiver: URL): Promise<Launch> {
  const service = await startService({ settings: settings?.(receiver) ?? {}, folder });
  try {
    const path = await createThreeSteps(service);
    const end = await beside?.(service, receiver);
    const measure = ({ clients, ...requests }: typeof MANY): Promise<CpuFigures> =>
      measuredLoad(
        startsOfThreeSteps({ url: service.server.url, path, headers: service.headers, clients }),
        requests,
        service.server.cpuMs,
      );
    try {
      return { one: await measure(ONE), many: await measure(MANY) };
    } finally {
      await end?.();
    }
  } finally {
    await service.stop();
  }
}

async function scrape(url: string): Promise<void> {
  const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
  if (!response.ok) throw new Error(`/metrics returned ${response.status}: ${await response.text()}`);
  await response.text();
}
