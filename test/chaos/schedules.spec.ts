import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { privatePostgres, QUICK_POSTGRES } from '../../tools/scripts/private-servers.mjs';
import { ServiceProcess } from '../support/service-process.js';
import { until } from '../support/until.js';

const SCHEDULES = process.env['CHAOS'] === 'long' ? 200 : 40;
const KILLS = process.env['CHAOS'] === 'long' ? 30 : 4;
const KILL_EVERY_MS = 1_500;
/** The test restarts PostgreSQL after every fourth kill. Immediate and fast shutdowns of PostgreSQL alternate. */
const KILLS_PER_RESTART = 4;
/** Status codes after which the test repeats a request. */
const TRY_AGAIN: readonly number[] = [409, 503];
/** Maximum number of attempts to start a process. A start fails while the database is unavailable. */
const START_TRIES = 50;
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

/** A page of a list, with only the fields that this test reads. */
interface List<T> {
  readonly data: readonly T[];
  readonly pagination: { readonly next_cursor?: string };
}

/** Starts a killed process. Retries the start while the database is unavailable. */
async function restart(victim: ServiceProcess): Promise<void> {
  for (let tries = 1; ; tries += 1)
    try {
      return await victim.start();
    } catch (error) {
      if (tries === START_TRIES) throw error;
      await pause(200);
    }
}

describe('schedules of three processes', () => {
  it(
    'each scheduled time starts exactly one execution although processes are killed and PostgreSQL restarts',
    {
      timeout: 1_800_000,
    },
    async () => {
      const postgres = await privatePostgres(QUICK_POSTGRES);
      const environment = { DATABASE_URL: postgres.url };
      const first = new ServiceProcess(environment);
      const others = [1, 2].map(() => new ServiceProcess(environment, first.token));
      const processes = [first, ...others];
      try {
        for (const one of processes) await one.start();
        const call = async <T>(method: string, path: string, body?: object): Promise<T> => {
          // A request fails while PostgreSQL restarts, so the test repeats the request. A request with status
          // 503 may nevertheless have changed the database.
          const response = await until(`a response to ${method} ${path}`, async () => {
            const one = await fetch(first.url + path, {
              method,
              headers: { authorization: `Bearer ${first.token}`, 'content-type': 'application/json' },
              ...(body === undefined ? {} : { body: JSON.stringify(body) }),
            });
            return !TRY_AGAIN.includes(one.status) && one;
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
        let restarts = 0;
        for (let kill = 0; kill < KILLS; kill += 1) {
          await pause(KILL_EVERY_MS);
          const victim = others[kill % others.length];
          await victim?.kill();
          if (kill % KILLS_PER_RESTART === KILLS_PER_RESTART - 1) {
            await postgres.end(restarts % 2 === 0 ? 'SIGQUIT' : 'SIGINT');
            await postgres.begin();
            restarts += 1;
          }
          if (victim !== undefined) await restart(victim);
        }
        await until('a ready service', async () => (await fetch(`${first.url}/health/ready`)).ok);
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
            faults.push(`${id}: not every scheduled time started an execution`);
          if (times.some((at, index) => at !== (times[0] ?? 0) + index * 1_000))
            faults.push(`${id}: scheduled times are missing or duplicate: ${times.join()}`);
          const started = (executions.get(id) ?? []).map(({ scheduled_for: at }) => Date.parse(at));
          if (started.toSorted((a, b) => a - b).join() !== times.join())
            faults.push(`${id}: ${started.length} executions for ${times.length} scheduled times`);
        }
        process.stdout.write(
          `${instants} instants of ${SCHEDULES} schedules, ${KILLS} kills, ${restarts} restarts\n`,
        );
        expect(faults).toEqual([]);
        expect(restarts).toBeGreaterThan(0);
        expect(processes.filter(({ hasDied }) => hasDied)).toEqual([]);
        expect(instants).toBeGreaterThan(SCHEDULES * KILLS);
        await until('the end of every execution', async () => {
          const left = await call<List<Execution>>('GET', '/v1/executions?status=queued&status=running');
          return left.data.length === 0;
        });
      } finally {
        for (const one of processes) await one.dispose();
        await postgres.stop();
      }
    },
  );
});
