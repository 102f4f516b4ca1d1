/**
 * Measures how much faster the service runs on two cores than on one. The clients share these cores with the service.
 */
import { execFileSync } from 'node:child_process';
import { inRounds, round } from './load.ts';
import { type BenchedService, startService } from './service.ts';
import { sized } from './size.ts';
import { createThreeSteps, measuredLoad, startsOfThreeSteps } from './three-steps.ts';

const CLIENTS = 64;
const STARTS = { warmUp: sized(4_000, 300), measured: sized(12_000, 600) };
const ITEMS = { warmUp: 20, measured: sized(1_000, 60) };
/** JavaScript source of the `code` nodes, which takes about ten milliseconds to run. */
const PROGRAM = 'let sum = 0; for (let i = 0; i < 200000; i += 1) sum += i; return sum;';
const ONE = '0';
const TWO = '0,1';

export interface Scaling {
  readonly what: string;
  readonly one_core_per_second: number;
  readonly two_cores_per_second: number;
  /** Throughput on two cores, divided by throughput on one core. */
  readonly ratio: number;
}

export async function cores(): Promise<readonly Scaling[]> {
  return [
    await inRounds(() => onBoth('W1, whose commits have a thread', startsPerSecond)),
    await inRounds(() => onBoth('code nodes, which have processes', itemsPerSecond)),
  ];
}

type Measure = (service: BenchedService) => Promise<number>;

async function onBoth(what: string, measure: Measure): Promise<Scaling> {
  const [one, two] = [await held(ONE, measure), await held(TWO, measure)];
  return {
    what,
    one_core_per_second: Math.round(one),
    two_cores_per_second: Math.round(two),
    ratio: round(two / one),
  };
}

async function held(to: string, measure: Measure): Promise<number> {
  const service = await startService();
  try {
    // Limits the server to the given cores. Threads and processes that the server starts later inherit the
    // limit.
    execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', to, String(service.server.pid)]);
    return await measure(service);
  } finally {
    await service.stop();
  }
}

async function startsPerSecond(service: BenchedService): Promise<number> {
  const load = startsOfThreeSteps({
    url: service.server.url,
    path: await createThreeSteps(service),
    headers: service.headers,
    clients: CLIENTS,
  });
  return (await measuredLoad(load, STARTS, service.server.cpuMs)).perSecond;
}

async function itemsPerSecond(service: BenchedService): Promise<number> {
  const { id } = await service.post('/v1/workflows', {
    name: 'programs',
    nodes: [
      {
        id: 'each',
        type: 'foreach',
        with: {
          items: '{{ input }}',
          nodes: [{ id: 'sum', type: 'code', with: { source: PROGRAM } }],
          max_concurrency: 16,
        },
      },
    ],
  });
  const seconds = async (items: number): Promise<number> => {
    const begun = performance.now();
    const input = Array.from({ length: items }, (_, n) => n);
    const { status } = await service.post<{ readonly status: string }>(
      `/v1/workflows/${id}/executions?wait=60`,
      { input },
    );
    if (status !== 'completed')
      throw new Error(`The execution of a loop with ${items} items is ${status}, not completed.`);
    return (performance.now() - begun) / 1_000;
  };
  await seconds(ITEMS.warmUp);
  return ITEMS.measured / (await seconds(ITEMS.measured));
}
