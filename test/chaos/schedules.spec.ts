import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { databaseKinds, databaseUrl } from '../support/database.js';
import { ServiceProcess } from '../support/service-process.js';
import { until } from '../support/until.js';

const SCHEDULES = process.env['CHAOS'] === 'long' ? 200 : 40;
const KILLS = process.env['CHAOS'] === 'long' ? 30 : 4;
const KILL_EVERY_MS = 1_500;
const PAGE = 100;

interface Fire {
  readonly scheduled_for: string;
  readonly outcome: string;
  readonly execution_id: string | null;
}
interface Execution {
  readonly id: string;
  readonly scheduled_for: string;
  readonly trigger: { readonly id: string };
}

/** The fields of a list that this test reads. */
interface List<T> {
  readonly data: readonly T[];
  readonly pagination: { readonly next_cursor?: string };
}

const kinds = (await databaseKinds()).filter(({ name }) => name === 'postgres');

describe.each(kinds)('schedules of three processes that are killed, on $name', ({ create }) => {
  it('schedules start exactly one execution per instant', { timeout: 300_000 }, async () => {
    const database = await create();
    const environment = { DATABASE_URL: databaseUrl(database.settings) };
    const first = new ServiceProcess(environment);
    const others = [1, 2].map(() => new ServiceProcess(environment, first.token));
    const processes = [first, ...others];
    try {
      for (const one of processes) await one.start();
      const call = async <T>(method: string, path: string, body?: object): Promise<T> => {
        const response = await fetch(first.url + path, {
          method,
          headers: { authorization: `Bearer ${first.token}`, 'content-type': 'application/json' },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
        return (await response.json()) as T;
      };
      const all = async <T>(path: string): Promise<readonly T[]> => {
        const found: T[] = [];
        for (let cursor = ''; ;) {
          const { data, pagination } = await call<List<T>>('GET', `${path}limit=${PAGE}${cursor}`);
          found.push(...data);
          if (pagination.next_cursor === undefined) return found;
          cursor = `&cursor=${pagination.next_cursor}`;
        }
      };
      const { id: workflowId } = await call<{ readonly id: string }>('POST', '/v1/workflows', {
        name: 'Tick',
        nodes: [{ id: 'text', type: 'set', with: { value: 1 } }],
      });
      const schedules: string[] = [];
      for (let index = 0; index < SCHEDULES; index += 1) {
        const body = { workflow_id: workflowId, every_seconds: 1, overlap: 'allow' };
        schedules.push((await call<{ readonly id: string }>('POST', '/v1/schedules', body)).id);
      }
      for (let kill = 0; kill < KILLS; kill += 1) {
        await pause(KILL_EVERY_MS);
        const victim = others[kill % others.length];
        await victim?.kill();
        await victim?.start();
      }
      for (const id of schedules) await call('POST', `/v1/schedules/${id}/pause`);
      const executions = Map.groupBy(
        await all<Execution>(`/v1/workflows/${workflowId}/executions?`),
        ({ trigger }) => trigger.id,
      );
      const faults: string[] = [];
      let instants = 0;
      for (const id of schedules) {
        const fires = await all<Fire>(`/v1/schedules/${id}/fires?order=asc&`);
        const times = fires.map(({ scheduled_for: at }) => Date.parse(at));
        instants += times.length;
        if (fires.some(({ outcome }) => outcome !== 'started'))
          faults.push(`${id}: not every instant started`);
        if (times.some((at, index) => at !== (times[0] ?? 0) + index * 1_000))
          faults.push(`${id}: instants are missing or doubled: ${times.join()}`);
        const started = (executions.get(id) ?? []).map(({ scheduled_for: at }) => Date.parse(at));
        if (started.toSorted((a, b) => a - b).join() !== times.join())
          faults.push(`${id}: ${started.length} executions for ${times.length} instants`);
      }
      process.stdout.write(`${instants} instants of ${SCHEDULES} schedules, ${KILLS} kills\n`);
      expect(faults).toEqual([]);
      expect(instants).toBeGreaterThan(SCHEDULES * KILLS);
      await until('the end of every execution', async () => {
        const left = await call<List<Execution>>('GET', '/v1/executions?status=queued&status=running');
        return left.data.length === 0;
      });
    } finally {
      for (const one of processes) await one.dispose();
      await database.drop();
    }
  });
});
