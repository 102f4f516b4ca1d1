/** W6: lists, reads and statistics over HTTP with 1,000 and 1,000,000 executions. */
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { inRounds, quantile, round } from './load.ts';
import { type BenchedService, type ServiceClient, startService } from './service.ts';
import { sized } from './size.ts';

const SIZES = [1_000, sized(1_000_000, 20_000)];
/** Maximum number of measured requests of each kind. The measurement of a kind also ends after `KIND_MS`. */
const REQUESTS = sized(500, 100);
/** Number of requests before the measurement, during which V8 optimizes the code. */
const WARM_UP = sized(200, 20);
const KIND_MS = 10_000;
const WORKFLOWS = 20;
const STATUSES = [
  'completed',
  'completed',
  'completed',
  'completed',
  'completed',
  'failed',
  'cancelled',
  'timed_out',
];
/** Distance in the list of executions between two executions that are read one after the other. */
const STRIDE = 7;
/**
 * Length of the period in which the executions were created, in milliseconds. The period ends an hour before the
 * measurement.
 */
const SPAN_MS = 20 * 86_400_000;
const HOUR_MS = 3_600_000;
/** Maximum time in milliseconds for the service to add all executions to its totals. */
const COUNTED_MS = 1_800_000;

export interface Timings {
  readonly request: string;
  readonly rows: number;
  readonly total: number | null;
  readonly p50_ms: number;
  readonly p95_ms: number;
  /**
   * p95 latency, divided by the p95 latency with the smallest number of executions. Null in the result for the smallest
   * number.
   */
  readonly ratio: number | null;
}

/**
 * @param sizes numbers of executions, ascending
 */
export async function lists(sizes: readonly number[] = SIZES): Promise<readonly Timings[]> {
  const rows: Timings[] = [];
  for (const size of sizes) {
    const service = await startService();
    try {
      for (const timing of await measured(service, size)) {
        const base = rows.find(({ request }) => request === timing.request);
        rows.push({ ...timing, ratio: base === undefined ? null : round(timing.p95_ms / base.p95_ms) });
      }
    } finally {
      await service.stop();
    }
  }
  return rows;
}

async function measured(service: BenchedService, size: number): Promise<readonly Omit<Timings, 'ratio'>[]> {
  const workflows: string[] = [];
  for (let n = 0; n < WORKFLOWS; n += 1)
    workflows.push((await service.post('/v1/workflows', { name: `workflow ${n}` })).id);
  const ids = await writeEnded(service, workflows, size, Date.now() - HOUR_MS);
  const projectId = await projectOf(service);
  await counted(service, size);
  const [workflow = ''] = workflows;
  const after = await read(service, '/v1/executions?limit=100');
  const one = (index: number): string => `/v1/executions/${ids[(index * STRIDE) % ids.length]}`;
  const paths = {
    list: () => '/v1/executions',
    'list, one project': () => `/v1/executions?project_id=${projectId}`,
    'list, failed': () => '/v1/executions?status=failed&status=timed_out',
    'list, none': () => '/v1/executions?status=running',
    'list, one workflow': () => `/v1/executions?workflow_id=${workflow}`,
    'list, no such trigger': () => '/v1/executions?trigger=schedule',
    'list, offset 10000': () => `/v1/executions?offset=${Math.min(10_000, size - 20)}`,
    'list, cursor': () => `/v1/executions?cursor=${after.pagination?.next_cursor ?? ''}`,
    'list, metadata that ten have': () => '/v1/executions?metadata[customer]=42',
    'list, last day': () => `/v1/executions?created_after=${daysAgo(1)}`,
    'list, last 19 days, failed': () => `/v1/executions?status=failed&created_after=${daysAgo(19)}`,
    read: one,
    'figures, 24 hours': () => '/v1/executions/stats',
    'figures, 7 days': () => '/v1/executions/stats?window=7d',
    'latest runs of 20 workflows': () =>
      `/v1/executions/stats/workflows?${workflows.map((id) => `workflow_id=${id}`).join('&')}`,
  };
  const rows: Omit<Timings, 'ratio'>[] = [];
  for (const path of Object.values(paths)) for (let n = 0; n < WARM_UP; n += 1) await read(service, path(n));
  for (const [request, path] of Object.entries(paths))
    rows.push({ request, rows: size, ...(await inRounds(() => timed(service, path))) });
  rows.push(...(await timedWithLongList(service, one)).map((row) => ({ ...row, rows: size })));
  return rows;
}

type Path = (index: number) => string;
type Timed = Pick<Timings, 'total' | 'p50_ms' | 'p95_ms'>;

/** Measures requests that are sent one after the other. At least one request is sent, even if `isOver` returns true. */
export async function timed(
  service: ServiceClient,
  path: Path,
  isOver: () => boolean = () => false,
): Promise<Timed> {
  const times: number[] = [];
  let total: number | null = null;
  const first = performance.now();
  do {
    const begun = performance.now();
    const answer = await read(service, path(times.length));
    times.push(performance.now() - begun);
    total = answer.pagination?.total ?? null;
  } while (times.length < REQUESTS && performance.now() - first < KIND_MS && !isOver());
  return { total, p50_ms: round(quantile(times, 0.5)), p95_ms: round(quantile(times, 0.95)) };
}

/**
 * Measures two kinds of requests at the same time: a list that reads all executions, and reads of single executions.
 */
async function timedWithLongList(
  service: BenchedService,
  one: Path,
): Promise<readonly (Timed & Pick<Timings, 'request'>)[]> {
  let isOver = false;
  const metadata = (): string => '/v1/executions?metadata[region]=eu';
  const long = timed(service, metadata, () => isOver);
  const short = await timed(service, one);
  isOver = true;
  return [
    { request: 'list, metadata that all have', ...(await long) },
    { request: 'read, meanwhile', ...short },
  ];
}

function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString();
}

interface Answer {
  readonly data?: readonly { readonly id: string }[];
  readonly pagination?: { readonly total: number; readonly next_cursor?: string };
}

function read(service: ServiceClient, path: string): Promise<Answer> {
  return service.get(path);
}

async function projectOf(service: BenchedService): Promise<string> {
  return String((await read(service, '/v1/projects')).data?.[0]?.id);
}

/**
 * Writes ended executions to the database, with creation times spread evenly over `SPAN_MS`.
 * @param until end of the period, in epoch milliseconds
 * @returns ids of at most 1,000 of the executions
 */
export async function writeEnded(
  service: BenchedService,
  workflows: readonly string[],
  size: number,
  until: number,
): Promise<readonly string[]> {
  const projectId = await projectOf(service);
  const database = new Database(fileOf(service));
  database.pragma('busy_timeout = 20000');
  const insert = database.prepare(
    `INSERT INTO executions (id, project_id, workflow_id, workflow_version, trigger_type, input, metadata, priority,
      attempt, created_at, status, output, nodes_completed, nodes_total, started_at, finished_at, last_sequence, lease_epoch)
     VALUES (?, ?, ?, 1, 'api', '{"n":1}', ?, 5, 1, ?, ?, '"result"', 3, 3, ?, ?, 6, 1)`,
  );
  const begin = until - SPAN_MS;
  const ids: string[] = [];
  const STEP = 5_000;
  for (let from = 0; from < size; from += STEP) {
    database.exec('BEGIN IMMEDIATE');
    for (let n = from; n < Math.min(size, from + STEP); n += 1) {
      const at = Math.floor(begin + (n / size) * SPAN_MS);
      const hex = at.toString(16).padStart(12, '0');
      const id = `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-${n.toString(16).padStart(12, '0')}`;
      const time = (ms: number): string => new Date(ms).toISOString();
      const workflow = workflows[n % workflows.length] ?? '';
      const status = STATUSES[n % STATUSES.length] ?? '';
      const metadata = JSON.stringify({ customer: String(n % Math.ceil(size / 10)), region: 'eu' });
      insert.run(id, projectId, workflow, metadata, time(at), status, time(at), time(at + (n % 500)));
      if (n % Math.ceil(size / 1_000) === 0) ids.push(id);
    }
    database.exec('COMMIT');
    // Lets the event loop run between commits. Otherwise, this process would not notice that the server closes idle
    // connections.
    await nextTurn();
  }
  database.close();
  return ids;
}

export function madeBefore(service: BenchedService, instant: number): number {
  const database = new Database(fileOf(service), { readonly: true });
  try {
    const row = database
      .prepare<[string], { readonly n: number }>('SELECT count(*) AS n FROM executions WHERE created_at < ?')
      .get(new Date(instant).toISOString());
    return row?.n ?? 0;
  } finally {
    database.close();
  }
}

export function fileOf(service: BenchedService): string {
  return join(service.environment['DATA_DIR'] ?? '', 'workflow.sqlite');
}

/** Waits until the service has added all executions to its totals, which takes some minutes. */
export async function counted(service: BenchedService, size: number): Promise<void> {
  const database = new Database(fileOf(service), { readonly: true });
  const begun = performance.now();
  for (;;) {
    const row = database.prepare('SELECT sum(executions) AS n FROM execution_totals').get() as {
      readonly n: number | null;
    };
    if ((row.n ?? 0) >= size) break;
    if (performance.now() - begun > COUNTED_MS)
      throw new Error(`The table execution_totals did not count all executions within ${COUNTED_MS} ms.`);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  database.close();
}
