/**
 * Measures how late one process starts the executions of 10,000 schedules: the time from each scheduled time to the
 * creation of the execution.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { quantile } from './load.ts';
import { startService } from './service.ts';
import { sized } from './size.ts';

const SCHEDULES = sized(10_000, 500);
const EVERY_SECONDS = 60;
const AHEAD_MS = sized(60_000, 5_000);
const MINUTES = sized(2, 1);
const CLIENTS = 16;
const PAGE = 100;
/** Milliseconds for which the benchmark waits for late executions after the last scheduled time. */
const SETTLED_MS = 2_000;

interface ExecutionView {
  readonly created_at: string;
  readonly scheduled_for: string;
}

interface Page {
  readonly data: readonly ExecutionView[];
  readonly pagination: { readonly next_cursor?: string };
}

export async function schedules(): Promise<object> {
  const { server, post, get, stop } = await startService();
  try {
    const workflow = await post('/v1/workflows', {
      name: 'tick',
      nodes: [{ id: 'a', type: 'set', with: { value: 1 } }],
    });
    const first = Date.now() + AHEAD_MS;
    let created = 0;
    const client = async (): Promise<void> => {
      while (created < SCHEDULES) {
        const startsAt = first + Math.floor((created++ / SCHEDULES) * EVERY_SECONDS * 1_000);
        await post('/v1/schedules', {
          workflow_id: workflow.id,
          every_seconds: EVERY_SECONDS,
          overlap: 'allow',
          starts_at: new Date(startsAt).toISOString(),
        });
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
    if (Date.now() > first)
      throw new Error(
        `Creating ${SCHEDULES} schedules took longer than ${AHEAD_MS} ms, so the first scheduled times have passed.`,
      );
    await pause(first - Date.now());
    const before = server.cpuMs();
    const end = first + MINUTES * EVERY_SECONDS * 1_000;
    await pause(end - Date.now());
    const cpu = server.cpuMs() - before;
    await pause(SETTLED_MS);
    const late = (await all(get, workflow.id))
      .filter(({ scheduled_for: at }) => Date.parse(at) < end)
      .map((execution) => Date.parse(execution.created_at) - Date.parse(execution.scheduled_for));
    return {
      schedules: SCHEDULES,
      instants: SCHEDULES * MINUTES,
      executions: late.length,
      late_p50_ms: quantile(late, 0.5),
      late_p99_ms: quantile(late, 0.99),
      late_max_ms: late.reduce((most, ms) => Math.max(most, ms), 0),
      cpu_percent: Math.round((cpu / (MINUTES * EVERY_SECONDS * 1_000)) * 1_000) / 10,
    };
  } finally {
    await stop();
  }
}

async function all(
  get: (path: string) => Promise<Page>,
  workflowId: string,
): Promise<readonly ExecutionView[]> {
  const found: ExecutionView[] = [];
  for (let cursor = ''; ;) {
    const { data, pagination } = await get(`/v1/workflows/${workflowId}/executions?limit=${PAGE}${cursor}`);
    found.push(...data);
    if (pagination.next_cursor === undefined) return found;
    cursor = `&cursor=${pagination.next_cursor}`;
  }
}
