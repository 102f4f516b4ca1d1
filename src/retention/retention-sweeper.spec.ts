import { beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../platform/index.ts';
import { RetentionSweeper } from './retention-sweeper.ts';

type EndedExecution = Parameters<ConstructorParameters<typeof RetentionSweeper>[0]['remove']>[1][number];

const NOW = Date.UTC(2030, 0, 31);
const DAY = 24 * 3_600_000;
const FINISHED = new Date(NOW - 40 * DAY).toISOString();

/**
 * A sweeper with fake ports, which provide ended executions, expired node results, and a database file with free pages.
 */
class World {
  ended: EndedExecution[] = [];
  expired = 0;
  /** Number of bytes in free pages that the database file can return to the disk. */
  free = 0;
  readonly commits: (readonly string[])[] = [];
  /**
   * Number of deletions that the fake still refuses. The database refuses a deletion if the totals have
   * changed.
   */
  refusals = 0;
  prunedBefore: number | null = null;
  readonly controller = new AbortController();
  onCommit: () => void = () => undefined;

  readonly sweeper = new RetentionSweeper(
    {
      watermark: async () => ({ upToId: newId(), revision: this.commits.length }),
      finishedBefore: async (after, before, limit) => {
        const found = this.ended.filter(
          ({ id, finishedAt }) => id > after && Date.parse(finishedAt) < before,
        );
        return { ended: found.slice(0, limit), unfinished: [], lastId: null };
      },
      remove: async (_watermark, step) => {
        if (this.refusals > 0) {
          this.refusals -= 1;
          return false;
        }
        const ids = step.map(({ id }) => id);
        this.commits.push(ids);
        this.ended = this.ended.filter(({ id }) => !ids.includes(id));
        this.onCommit();
        return true;
      },
      prune: async (before) => void (this.prunedBefore = before),
    },
    {
      removeExpired: async (_now, limit) => {
        const removed = Math.min(this.expired, limit);
        this.expired -= removed;
        return removed;
      },
    },
    {
      vacuum: async () => {
        this.free = Math.max(0, this.free - 1_000);
        return this.free;
      },
    },
  );

  add(count: number, own: Partial<EndedExecution> = {}): readonly string[] {
    const added = Array.from({ length: count }, (): EndedExecution => ({
      id: newId(),
      projectId: newId(),
      workflowId: newId(),
      triggerType: 'api',
      status: 'completed',
      createdAt: FINISHED,
      startedAt: FINISHED,
      finishedAt: FINISHED,
      events: 5,
      journalBytes: 100,
      payloadBytes: 0,
      ...own,
    }));
    this.ended.push(...added);
    return added.map(({ id }) => id);
  }

  trim(): ReturnType<RetentionSweeper['trim']> {
    return this.sweeper.trim(NOW - 30 * DAY, NOW, this.controller.signal);
  }
}

let world: World;
beforeEach(() => {
  world = new World();
});

describe('RetentionSweeper', () => {
  it('the retention sweeper deletes at most 50 executions per commit', async () => {
    const ids = world.add(120);
    expect(await world.trim()).toMatchObject({ executions: 120 });
    expect(world.commits.map(({ length }) => length)).toEqual([50, 50, 20]);
    expect(world.commits.flat()).toEqual(ids);
  });

  it('the retention sweeper deletes at most 2,000 events per commit', async () => {
    world.add(3, { events: 900 });
    world.add(1, { events: 5_000 });
    world.add(1);
    await world.trim();
    expect(world.commits.map(({ length }) => length)).toEqual([2, 1, 1, 1]);
  });

  it('the retention sweeper keeps executions within their retention', async () => {
    const [kept] = world.add(1, { finishedAt: new Date(NOW - 29 * DAY).toISOString() });
    world.add(1);
    expect(await world.trim()).toMatchObject({ executions: 1 });
    expect(world.ended.map(({ id }) => id)).toEqual([kept]);
  });

  it('the retention sweeper repeats a deletion that the database refused because the execution totals had changed', async () => {
    const ids = world.add(2);
    world.refusals = 2;
    expect(await world.trim()).toMatchObject({ executions: 2 });
    expect(world.commits).toEqual([ids]);
  });

  it('the retention sweeper deletes every expired result of the result cache', async () => {
    world.expired = 250;
    expect(await world.trim()).toMatchObject({ results: 250 });
    expect(world.expired).toBe(0);
  });

  it('the retention sweeper deletes hourly counts that are too old for the statistics', async () => {
    await world.trim();
    expect(world.prunedBefore).toBe(NOW - 8 * DAY);
  });

  it('the retention sweeper returns the free space of the database to the file system', async () => {
    world.free = 3_500;
    expect(await world.trim()).toMatchObject({ bytes: 2_500 });
    expect(world.free).toBe(0);
  });

  it('the retention sweeper stops after the current commit when aborted', async () => {
    world.add(120);
    world.expired = 5;
    world.onCommit = () => world.controller.abort();
    expect(await world.trim()).toMatchObject({ executions: 50, results: 0 });
    expect([world.ended.length, world.expired, world.prunedBefore]).toEqual([70, 5, null]);
  });
});
