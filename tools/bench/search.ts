/** Benchmarks searches over a million executions on SQLite and PostgreSQL. */
import { setTimeout as pause } from 'node:timers/promises';
import { inRounds } from './load.ts';
import { openRows, type Row, type RowStore } from './row-store.ts';
import { startServer } from './server-process.ts';
import { onBothDatabases } from './servers.ts';
import { clientOf, type ServiceClient, startService } from './service.ts';
import { sized } from './size.ts';
import { fileOf, timed, type Timings } from './w6.ts';

const EXECUTIONS = sized(1_000_000, 20_000);
/** Number of executions to insert per commit. */
const STEP = 2_000;
const WORKFLOWS = 20;
/**
 * Length of the period in which the executions were created, in milliseconds. The period ends an hour before the
 * measurement.
 */
const SPAN_MS = 20 * 86_400_000;
const HOUR_MS = 3_600_000;
const WARM_UP = sized(50, 5);
/** Distance in the list of executions between the executions that two consecutive searches look for. */
const STRIDE = 7_919;
const CITIES = ['berlin', 'boston', 'lagos', 'lima', 'osaka', 'paris', 'quito', 'seoul'];
const COUNTED_MS = 1_800_000;

interface SearchRow extends Omit<Timings, 'ratio'> {
  readonly database: string;
}

export async function search(): Promise<readonly SearchRow[]> {
  return (await onBothDatabases(measured)).flat();
}

async function measured(
  database: string,
  settings: Readonly<Record<string, string>>,
): Promise<readonly SearchRow[]> {
  const service = await startService({ settings });
  try {
    const workflows: string[] = [];
    for (let count = 0; count < WORKFLOWS; count += 1)
      workflows.push((await service.post('/v1/workflows', { name: `workflow ${count}` })).id);
    const { data } = await service.get<{ readonly data: readonly { readonly id: string }[] }>('/v1/projects');
    await service.server.stop();
    const url = settings['DATABASE_URL'] ?? fileOf(service);
    await withRows(url, (store) => fill(store, data[0]?.id ?? '', workflows));
    const server = await startServer(['dist/src/main.js'], service.environment);
    try {
      await withRows(url, counted);
      return (await timings(clientOf(server.url, service.key))).map((row) => ({ ...row, database }));
    } finally {
      await server.stop();
    }
  } finally {
    await service.stop();
  }
}

async function withRows(url: string, work: (store: RowStore) => Promise<void>): Promise<void> {
  const store = await openRows(url);
  try {
    await work(store);
  } finally {
    await store.close();
  }
}

/**
 * Writes ended executions with their entries in the search index. The service itself would build the index only slowly,
 * in the background.
 */
async function fill(store: RowStore, projectId: string, workflows: readonly string[]): Promise<void> {
  const begin = Date.now() - HOUR_MS - SPAN_MS;
  for (let from = 0; from < EXECUTIONS; from += STEP) {
    const indexes = Array.from({ length: Math.min(STEP, EXECUTIONS - from) }, (_, place) => from + place);
    const executions = indexes.map((index) => executionAt(index, begin, projectId, workflows));
    await store.begin();
    await store.insert('executions', executions);
    await store.insert(
      'search_words',
      indexes.flatMap((index, place) => {
        const id = String(executions[place]?.['id']);
        const words = new Set([id.slice(-8), ...wordsAt(index)]);
        return [...words].map((word) => ({ project_id: projectId, word, execution_id: id }));
      }),
    );
    await store.commit();
  }
  await store.begin();
  const last = executionAt(EXECUTIONS - 1, begin, projectId, workflows);
  await store.insert('search_watermark', [{ id: 1, up_to_id: last['id'], revision: 1 }]);
  await store.commit();
}

function orderOf(index: number): string {
  return `a${index.toString().padStart(7, '0')}`;
}

function customerOf(index: number): string {
  return `customer${index % (EXECUTIONS / 10)}`;
}

function cityOf(index: number): string {
  return CITIES[index % CITIES.length] ?? '';
}

/** Returns the search words of the execution with this index: words of its input, its metadata and its error. */
function wordsAt(index: number): readonly string[] {
  const error = isFailed(index) ? ['the', 'card', 'of', 'order', 'was', 'refused', 'charge'] : [];
  return [...error, orderOf(index), customerOf(index), cityOf(index), 'express', 'eu', String(index % 500)];
}

function isFailed(index: number): boolean {
  return index % 8 === 0;
}

function executionAt(index: number, begin: number, projectId: string, workflows: readonly string[]): Row {
  const at = Math.floor(begin + (index / EXECUTIONS) * SPAN_MS);
  const hex = at.toString(16).padStart(12, '0');
  const instant = new Date(at).toISOString();
  return {
    id: `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-${index.toString(16).padStart(12, '0')}`,
    project_id: projectId,
    workflow_id: workflows[index % workflows.length],
    workflow_version: 1,
    trigger_type: 'api',
    // The column `input` stores JSON as text, so the object must be serialized before the insert.
    input: JSON.stringify({
      order: orderOf(index),
      customer: customerOf(index),
      delivery: `express ${cityOf(index)}`,
      amount: index % 500,
    }),
    metadata: { region: 'eu' },
    priority: 5,
    attempt: 1,
    created_at: instant,
    status: isFailed(index) ? 'failed' : 'completed',
    output: isFailed(index) ? null : '"result"',
    error: isFailed(index)
      ? { type: 'refused', message: `The card of order ${orderOf(index)} was refused`, node_id: 'charge' }
      : null,
    nodes_completed: isFailed(index) ? 2 : 3,
    nodes_total: 3,
    started_at: instant,
    finished_at: instant,
    last_sequence: 6,
    lease_epoch: 1,
  };
}

/**
 * Waits until the service has added the executions to its totals. This takes minutes, and its CPU time would distort
 * the measurement.
 */
async function counted(store: RowStore): Promise<void> {
  const begun = performance.now();
  while ((await store.number('SELECT coalesce(sum(executions), 0) FROM execution_totals')) < EXECUTIONS) {
    if (performance.now() - begun > COUNTED_MS)
      throw new Error(`The table execution_totals did not count all executions within ${COUNTED_MS} ms.`);
    await pause(500);
  }
}

interface Request {
  readonly path: (index: number) => string;
  /** Expected number of executions in each response. */
  readonly found: number;
}

const REQUESTS: Readonly<Record<string, Request>> = {
  'search, word of no execution': { path: () => searchPath('nowhere'), found: 0 },
  'search, word of one execution': { path: (index) => searchPath(orderOf(index)), found: 1 },
  'search, word of ten executions': { path: (index) => searchPath(customerOf(index)), found: 10 },
  'search, end of an id': {
    path: (index) => searchPath(index.toString(16).padStart(12, '0').slice(-8)),
    found: 1,
  },
  'search, word of all executions': { path: () => searchPath('express'), found: 20 },
  'search, two words of all executions': { path: () => searchPath('express eu'), found: 20 },
  'list, prefix of ten executions': {
    path: (index) => listPath(orderOf(index).slice(0, -1)),
    found: 10,
  },
  'list, prefix of all executions': { path: () => listPath('exp'), found: 100 },
  'list, prefix of all executions, failed': {
    path: () => `${listPath('exp')}&status=failed`,
    found: 100,
  },
};

function searchPath(text: string): string {
  return `/v1/search?kind=execution&limit=20&q=${encodeURIComponent(text)}`;
}

function listPath(text: string): string {
  return `/v1/executions?limit=100&q=${encodeURIComponent(text)}`;
}

async function timings(client: ServiceClient): Promise<readonly Omit<SearchRow, 'database'>[]> {
  const rows: Omit<SearchRow, 'database'>[] = [];
  const indexAt = (place: number): number => (place * STRIDE) % EXECUTIONS;
  for (const [request, { path, found }] of Object.entries(REQUESTS)) {
    for (let place = 0; place < WARM_UP; place += 1) {
      const { data } = await client.get<{ readonly data: readonly unknown[] }>(path(indexAt(place)));
      if (data.length !== found)
        throw new Error(
          `GET ${path(indexAt(place))} returned ${data.length} executions instead of ${found}.`,
        );
    }
    const measure = () => timed(client, (place) => path(indexAt(place)));
    rows.push({ request, rows: EXECUTIONS, ...(await inRounds(measure)) });
  }
  return rows;
}
