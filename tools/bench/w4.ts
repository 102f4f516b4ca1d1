/**
 * W4: many executions become due at the same moment and run as a backlog. Memory is measured as heap size
 * after a garbage collection, because resident memory also contains garbage.
 */
import { withBound } from './bound-process.ts';
import { type Figures, inRounds, run, round } from './load.ts';
import { startObserved } from './observed.ts';
import type { BenchedService } from './service.ts';
import { sized } from './size.ts';
import { THREE_STEPS } from './three-steps.ts';

const CLIENTS = 64;
const BACKLOG = sized(20_000, 2_000);
/** Number of starts in a trial, from which the benchmark estimates how long writing the whole backlog takes. */
const TRIAL = sized(2_000, 500);
const POLL_MS = 100;

export function backlog(): Promise<Readonly<Record<string, unknown>>> {
  return inRounds(backlogOnce);
}

async function backlogOnce(): Promise<object> {
  const bound = await withBound('one', async ({ url }) => {
    const { perSecond } = await run({
      ...load(url, '/queue', {}, () => JSON.stringify({ input: { n: 1 } })),
      requests: BACKLOG,
    });
    const begun = performance.now();
    await (await fetch(`${url}/drain`, { method: 'POST', body: '{}' })).text();
    return { starts_per_second: perSecond, drained_per_second: rate(BACKLOG, performance.now() - begun) };
  });
  const service = await startObserved();
  const heapMb = async (): Promise<number> => (await service.ask({ ask: 'state' })).heapMb;
  try {
    const { server } = service;
    const workflow = await service.post('/v1/workflows', { name: 'three steps', nodes: THREE_STEPS });
    const before = server.residentMb();
    const trial = await starts(service, workflow.id, TRIAL, Date.now() + 86_400_000);
    const heapOfFew = await heapMb();
    // The due time of the backlog leaves twice the estimated time for writing it, so that a busy machine also finishes
    // in time.
    const due = Date.now() + (BACKLOG / trial.perSecond) * 2_000 + 2_000;
    const filled = await starts(service, workflow.id, BACKLOG, due);
    if (Date.now() > due)
      throw new Error('Some executions of the backlog became due before all of them were created.');
    const full = server.residentMb();
    const heapOfAll = await heapMb();
    await pause(due - Date.now());
    let most = full;
    const cpu = server.cpuMs();
    const begun = performance.now();
    while ((await completed(service, workflow.id)) < BACKLOG) {
      most = Math.max(most, server.residentMb());
      await pause(POLL_MS);
    }
    const elapsed = performance.now() - begun;
    const drained = rate(BACKLOG, elapsed);
    return {
      backlog: BACKLOG,
      starts_per_second: filled.perSecond,
      drained_per_second: drained,
      cpu_ms_each: round((server.cpuMs() - cpu) / BACKLOG),
      memory_mb: {
        before: round(before),
        full: round(full),
        most: round(most),
        after: round(server.residentMb()),
      },
      heap_mb: { few: round(heapOfFew), full: round(heapOfAll), after: round(await heapMb()) },
      bound,
      ratio_of_drain: round(drained / bound.drained_per_second),
    };
  } finally {
    await service.stop();
  }
}

/**
 * @param due earliest start time, in epoch milliseconds
 */
function starts(service: BenchedService, workflowId: string, count: number, due?: number): Promise<Figures> {
  const at = due === undefined ? {} : { scheduled_for: new Date(due).toISOString() };
  return run({
    ...load(service.server.url, `/v1/workflows/${workflowId}/executions`, service.headers, (n) =>
      JSON.stringify({ input: { n }, ...at }),
    ),
    requests: count,
  });
}

function load(
  url: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: (index: number) => string,
): Omit<Parameters<typeof run>[0], 'requests'> {
  const check = (status: number, text: string): void => {
    if (status !== 201) throw new Error(`The service responded with the status ${status}: ${text}`);
  };
  return { url, path, headers, clients: CLIENTS, body, check };
}

async function completed({ server, headers }: BenchedService, workflowId: string): Promise<number> {
  const url = `${server.url}/v1/workflows/${workflowId}/executions?status=completed&limit=1`;
  const { pagination } = (await (await fetch(url, { headers })).json()) as {
    readonly pagination: { readonly total: number };
  };
  return pagination.total;
}

function rate(count: number, ms: number): number {
  return Math.round((count * 1_000) / ms);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
