/** Benchmarks how fast an execution with 200,000 events resumes, with and without a checkpoint. */
import Database from 'better-sqlite3';
import { quantile, round } from './load.ts';
import { type BenchedService, startService } from './service.ts';
import { sized } from './size.ts';
import { fileOf } from './w6.ts';

const ITEMS = sized(10_000, 500);
const NODES = 10;
/** Number of measurements with a checkpoint. The same number of measurements is made without a checkpoint. */
const WAKE_UPS = sized(5, 1);
const POLL_MS = 1;

export interface ResumeFigures {
  readonly events: number;
  readonly checkpoint: boolean;
  readonly wake_p50_ms: number;
  readonly checkpoint_kb: number | null;
}

export async function resume(): Promise<readonly ResumeFigures[]> {
  const service = await startService({ settings: { EXECUTION_MAX_BYTES: String(512 * 1024 * 1024) } });
  try {
    const names = Array.from({ length: NODES }, (_, n) => `n${n}`);
    const body = names.map((id) => ({ id, type: 'set', with: { value: '{{ item }}' } }));
    const { id: workflowId } = await service.post('/v1/workflows', {
      name: 'many events',
      config: { timeout_seconds: 3_600 },
      nodes: [
        {
          id: 'each',
          type: 'foreach',
          with: { items: '{{ input }}', nodes: body, output: '{{ nodes.n0.output }}' },
        },
        { id: 'ask', type: 'wait', needs: ['each'], with: { signal: 'go' } },
      ],
    });
    await wakeUp(service, await asleep(service, workflowId, 10), () => undefined);
    const rows: ResumeFigures[] = [];
    for (const checkpoint of [true, false]) {
      const times: number[] = [];
      let events = 0;
      let bytes: number | null = null;
      for (let n = 0; n < WAKE_UPS; n += 1) {
        const id = await asleep(service, workflowId, ITEMS);
        events = (await executionOf(service, id)).last_sequence;
        times.push(
          await wakeUp(service, id, (database) => {
            if (!checkpoint) database.prepare('DELETE FROM checkpoints WHERE execution_id = ?').run(id);
            bytes =
              database
                .prepare<[string], number>('SELECT length(body) FROM checkpoints WHERE execution_id = ?')
                .pluck()
                .get(id) ?? null;
          }),
        );
      }
      rows.push({
        events,
        checkpoint,
        wake_p50_ms: round(quantile(times, 0.5)),
        checkpoint_kb: bytes === null ? null : round(bytes / 1_024),
      });
    }
    return rows;
  } finally {
    await service.stop();
  }
}

interface Shown {
  readonly status: string;
  readonly last_sequence: number;
}

function executionOf(service: BenchedService, id: string): Promise<Shown> {
  return service.get<Shown>(`/v1/executions/${id}`);
}

async function asleep(service: BenchedService, workflowId: string, items: number): Promise<string> {
  const input = Array.from({ length: items }, (_, n) => n);
  const { id } = await service.post(`/v1/workflows/${workflowId}/executions`, { input });
  await until(service, id, 'waiting', 100);
  return id;
}

/**
 * @returns milliseconds from the signal until a client sees the end
 */
async function wakeUp(
  service: BenchedService,
  id: string,
  before: (database: Database.Database) => void,
): Promise<number> {
  const database = new Database(fileOf(service));
  before(database);
  database.close();
  const begun = performance.now();
  await service.post(`/v1/executions/${id}/signals/go`, { payload: null });
  await until(service, id, 'completed', POLL_MS);
  return performance.now() - begun;
}

async function until(service: BenchedService, id: string, status: string, everyMs: number): Promise<void> {
  while ((await executionOf(service, id)).status !== status)
    await new Promise((resolve) => setTimeout(resolve, everyMs));
}
