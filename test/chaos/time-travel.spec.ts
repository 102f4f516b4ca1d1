import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { databaseKinds, databaseUrl, type TestDatabase } from '../support/database.js';
import { ServiceProcess } from '../support/service-process.js';
import { until } from '../support/until.js';

const IS_LONG = process.env['CHAOS'] === 'long';
const DAYS = IS_LONG ? 400 : 12;
const JUMPS = IS_LONG ? 300 : 8;
const KILL_EVERY = 4;
const DAY = 86_400;
const PAGE = 100;

interface Page<T> {
  readonly data: readonly T[];
  readonly pagination: { readonly next_cursor?: string };
}
interface Execution {
  readonly id: string;
  readonly status: string;
  readonly scheduled_for: string;
}
interface Event {
  readonly type: string;
  readonly sequence: number;
  readonly created_at: string;
  readonly data: { readonly reminder?: number };
}
interface Moved {
  readonly now: string;
  readonly reached: boolean;
}

let server: Server | undefined;
let database: TestDatabase | undefined;
let service: ServiceProcess | undefined;
afterEach(async () => {
  await service?.dispose();
  await database?.drop();
  server?.close();
  server = database = service = undefined;
});

/**
 * Starts a server that the nodes of the test call.
 * @returns the URL of the server, and the number of calls by idempotency key
 */
async function effects(): Promise<{ readonly url: string; readonly calls: Map<string, number> }> {
  const calls = new Map<string, number>();
  server = createServer((request, response) => {
    const key = String(request.headers['idempotency-key']);
    calls.set(key, (calls.get(key) ?? 0) + 1);
    request.resume().on('end', () => response.end('{}'));
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls };
}

describe.each(await databaseKinds())('a year of clock moves and kills, on $name', ({ create }) => {
  it(
    'a daily schedule starts one execution a day although the test clock jumps and the service is killed',
    { timeout: 1_200_000 },
    async () => {
      const { url, calls } = await effects();
      database = await create();
      service = new ServiceProcess({
        DATABASE_URL: databaseUrl(database.settings),
        EGRESS_ALLOW: '127.0.0.1',
        RETENTION_DAYS: '3650',
      });
      const running = service;
      await running.start();
      const all = async <T>(path: string): Promise<readonly T[]> => {
        const found: T[] = [];
        for (let cursor = ''; ;) {
          const page = await running.call<Page<T>>('GET', `${path}limit=${PAGE}${cursor}`);
          found.push(...page.data);
          if (page.pagination.next_cursor === undefined) return found;
          cursor = `&cursor=${page.pagination.next_cursor}`;
        }
      };
      const post = { type: 'http', with: { method: 'POST', url, body: {} }, retry: { max_attempts: 5 } };
      const workflow = await running.call<{ readonly id: string }>('POST', '/v1/workflows', {
        name: 'Long',
        config: { timeout_counts: 'active', timeout_seconds: 600 },
        nodes: [
          { ...post, id: 'first' },
          { id: 'nap', type: 'delay', needs: ['first'], with: { seconds: DAY / 2 } },
          {
            id: 'ask',
            type: 'wait',
            needs: ['nap'],
            with: { signal: 'never', timeout_seconds: DAY, remind_every_seconds: DAY / 3 },
            on_error: 'continue',
          },
          { ...post, id: 'last', needs: ['ask'] },
        ],
      });
      const begun = (await running.call<Moved>('GET', '/v1/test-clock')).now;
      const schedule = await running.call<{ readonly id: string }>('POST', '/v1/schedules', {
        workflow_id: workflow.id,
        every_seconds: DAY,
        overlap: 'allow',
        catch_up_seconds: DAY,
      });
      for (let jump = 1; jump <= JUMPS; jump += 1) {
        const set = new Date(
          Date.parse(begun) + Math.round((jump * DAYS) / JUMPS) * DAY * 1_000,
        ).toISOString();
        const moving = running.call<Moved>('POST', '/v1/test-clock', { set });
        if (jump % KILL_EVERY === 0) {
          // The kill usually interrupts the service while the service moves its test clock, between two calls of nodes.
          moving.catch(() => undefined);
          const before = calls.size;
          await until('an effect after the clock moved', () => calls.size > before, { limitMs: 2_000 }).catch(
            () => undefined,
          );
          await running.kill();
          await running.start();
        } else await moving;
        for (;;) {
          const { now } = await running.call<Moved>('GET', '/v1/test-clock');
          if (now >= set) break;
          await running.call<Moved>('POST', '/v1/test-clock', { set });
        }
      }
      await running.call('POST', `/v1/schedules/${schedule.id}/pause`);
      await running.call('POST', '/v1/test-clock', { advance_seconds: 3 * DAY });
      const executions = await all<Execution>(`/v1/workflows/${workflow.id}/executions?order=asc&`);
      const instants = executions.map(({ scheduled_for: at }) => Date.parse(at));
      const faults: string[] = [];
      if (instants.some((at, index) => at !== (instants[0] ?? 0) + index * DAY * 1_000))
        faults.push(`scheduled times are missing or duplicate: ${instants.join()}`);
      for (const { id, status } of executions) {
        const events = await all<Event>(`/v1/executions/${id}/events?`);
        const reminders = events.flatMap(({ data }) => data.reminder ?? []);
        const lastAt = events.map(({ created_at: at }) => at);
        if (status !== 'completed') faults.push(`${id} is ${status}`);
        if (reminders.join() !== '1,2') faults.push(`${id} sent the reminders ${reminders.join()}`);
        if (lastAt.join() !== lastAt.toSorted().join())
          faults.push(`${id} has events that are earlier than a previous event`);
      }
      expect(faults).toEqual([]);
      expect(executions.length).toBeGreaterThanOrEqual(DAYS - 1);
      // Each execution makes two calls. A killed service repeats a call whose result was not recorded, with
      // the same idempotency key. So each execution has exactly two keys.
      expect(calls.size).toBe(2 * executions.length);
      const repeated = [...calls.values()].filter((count) => count > 1).length;
      expect(repeated).toBeLessThanOrEqual(2 * Math.ceil(JUMPS / KILL_EVERY));
    },
  );
});
