import { beforeEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.js';
import { durationBucket, HOUR_MS } from '../../execution-totals/index.js';
import { type EndedWindow, EndedWindows } from './ended-windows.js';

const MINUTE = 60_000;
const FROM = Date.UTC(2030, 0, 1);
const HOURS = 4;
const FILTER = { projectIds: ['project-1'] };

/** Simulated numbers of completed executions by hour. The fake records the first hour that each query requests. */
class World {
  /** The clock shows a time ten minutes after the start of the fourth hour. */
  readonly clock = new ManualClock(FROM + 3 * HOUR_MS + 10 * MINUTE);
  readonly completed = new Map([
    [0, 1],
    [2, 3],
  ]);
  readonly queries: number[] = [];
  sampled = false;
  failure: Error | null = null;

  readonly windows = new EndedWindows(
    {
      ended: (_filter, from) => {
        this.queries.push((from - FROM) / HOUR_MS);
        if (this.failure !== null) return Promise.reject(this.failure);
        const counts = [...this.completed].map(([hour, executions]) => ({
          hour: new Date(FROM + hour * HOUR_MS).toISOString(),
          status: 'completed' as const,
          durationBucket: durationBucket(100),
          executions,
        }));
        return Promise.resolve({
          counts: counts.filter(({ hour }) => Date.parse(hour) >= from),
          sampled: this.sampled,
        });
      },
    },
    this.clock,
  );

  of(filter: Parameters<EndedWindows['of']>[0] = FILTER): Promise<EndedWindow> {
    return this.windows.of(filter, FROM, HOURS);
  }

  async hours(): Promise<readonly number[]> {
    return (await this.of()).ended.hours.map(({ completed }) => completed);
  }
}

let world: World;
beforeEach(() => {
  world = new World();
});

describe('EndedWindows', () => {
  it('the statistics of a time window are cached for 5 seconds', async () => {
    await world.of();
    world.clock.advance(4_999);
    await world.of();
    expect(world.queries).toEqual([0]);
    world.clock.advance(1);
    await world.of();
    expect(world.queries).toHaveLength(2);
  });

  it('concurrent callers share one query for the statistics of a time window', async () => {
    await Promise.all([world.of(), world.of()]);
    expect(world.queries).toEqual([0]);
  });

  it('a second read of the statistics of a time window queries only the current hour again', async () => {
    expect(await world.hours()).toEqual([1, 0, 3, 0]);
    world.completed.set(3, 5);
    world.clock.advance(5_000);
    expect(await world.hours()).toEqual([1, 0, 3, 5]);
    expect(world.queries).toEqual([0, 3]);
  });

  it('the statistics of an hour are queried again until 5 minutes after the end of the hour, to include late writes', async () => {
    world.clock.advance(-6 * MINUTE);
    await world.of();
    world.completed.set(2, 4);
    world.clock.advance(5_000);
    expect(await world.hours()).toEqual([1, 0, 4, 0]);
    expect(world.queries).toEqual([0, 2]);
  });

  it('the statistics of all hours of a time window are queried again after 10 minutes', async () => {
    await world.of();
    world.completed.set(0, 2);
    world.clock.advance(10 * MINUTE);
    expect(await world.hours()).toEqual([2, 0, 3, 0]);
  });

  it('sampled statistics of a time window are not cached by hour', async () => {
    world.sampled = true;
    expect((await world.of()).sampled).toBe(true);
    world.clock.advance(5_000);
    await world.of();
    expect(world.queries).toEqual([0, 0]);
  });

  it('the cached statistics of a time window are not shared between filters', async () => {
    await world.of();
    await world.of({ ...FILTER, workflowId: 'workflow-1' });
    expect(world.queries).toEqual([0, 0]);
  });

  it('the statistics of a time window are queried again after a failed query', async () => {
    world.failure = new Error('The database is away.');
    await expect(world.of()).rejects.toBe(world.failure);
    world.failure = null;
    expect(await world.hours()).toEqual([1, 0, 3, 0]);
  });
});
