import { beforeEach, describe, expect, it } from 'vitest';
import { CALLER } from '../../../test/support/executions-fakes.js';
import { ManualClock } from '../../../test/support/manual-clock.js';
import { HOUR_MS } from '../../execution-totals/index.js';
import { type Project, ProjectOutOfReachError } from '../../projects/index.js';
import type { LatestRun, StatsFilter } from './stats.repository.js';
import { StatsService } from './stats.service.js';

const NOW = Date.parse('2030-01-08T10:30:00.000Z');
const project = (id: string): Project => ({
  id,
  teamId: CALLER.teamId,
  name: '',
  description: null,
  createdAt: '',
  updatedAt: '',
});
const run = (workflowId: string, projectId: string): LatestRun => ({
  id: `run of ${workflowId}`,
  workflowId,
  projectId,
  status: 'completed',
  createdAt: '',
  startedAt: null,
  finishedAt: null,
});

/**
 * Fakes of the dependencies of `StatsService`. The fakes return the values that the test sets, and record the reads.
 */
class World {
  readonly clock = new ManualClock(NOW);
  reachable = ['p1', 'p2'];
  runs: readonly LatestRun[] = [];
  readonly filters: StatsFilter[] = [];
  readonly requestedRuns: (readonly string[])[] = [];
  readonly measured: string[] = [];

  readonly stats = new StatsService(
    {
      ended: (filter) => {
        this.filters.push(filter);
        return Promise.resolve({ counts: [], sampled: false });
      },
      active: () => Promise.resolve(new Map([['running', 2]])),
      latestRuns: (ids) => {
        this.requestedRuns.push(ids);
        return Promise.resolve(this.runs);
      },
      usage: (id) => {
        this.measured.push(id);
        return Promise.resolve({
          executions: this.measured.length,
          events: 0,
          payloadBytes: 0,
          journalBytes: 0,
          resultsBytes: 0,
          estimated: false,
        });
      },
    },
    {
      idsWithin: (_caller, id) => {
        if (id === undefined) return Promise.resolve(this.reachable);
        return this.reachable.includes(id)
          ? Promise.resolve([id])
          : Promise.reject(new ProjectOutOfReachError(id));
      },
      reachable: () => Promise.resolve(this.reachable.map(project)),
      reach: (_caller, id) =>
        this.reachable.includes(id)
          ? Promise.resolve(project(id))
          : Promise.reject(new ProjectOutOfReachError(id)),
    },
    this.clock,
  );
}

let world: World;
beforeEach(() => {
  world = new World();
});

describe('StatsService', () => {
  it.each([
    ['24h', 24],
    ['7d', 168],
  ] as const)(
    'statistics of the last %s cover %i hours, including the current hour',
    async (window, hours) => {
      const { from, to, ended } = await world.stats.stats(CALLER, { window });
      expect([to, ended.hours.length]).toEqual([NOW, hours]);
      expect(from).toBe(Date.parse('2030-01-08T11:00:00.000Z') - hours * HOUR_MS);
    },
  );

  it('statistics include every project that the caller may read', async () => {
    await world.stats.stats(CALLER, { window: '24h', workflowId: 'w1' });
    expect(world.filters).toEqual([{ projectIds: ['p1', 'p2'], workflowId: 'w1' }]);
  });

  it('statistics of a project that the caller may not read are refused without a query', async () => {
    await expect(world.stats.stats(CALLER, { window: '24h', projectId: 'p9' })).rejects.toMatchObject({
      status: 403,
    });
    expect(world.filters).toEqual([]);
  });

  it('statistics are empty, without a query, for a caller who may read no project', async () => {
    world.reachable = [];
    const { ended, active, sampled } = await world.stats.stats(CALLER, { window: '24h' });
    expect([ended.hours.length, active.size, sampled, world.filters]).toEqual([24, 0, false, []]);
  });
});

describe('the latest executions of workflows', () => {
  it('`latestRuns` returns no executions of workflows that the caller may not read', async () => {
    world.runs = [run('w1', 'p1'), run('w9', 'p9')];
    expect([...(await world.stats.latestRuns(CALLER, ['w1', 'w9'])).keys()]).toEqual(['w1']);
  });

  it('`latestRuns` reads a workflow only once if two requested workflow ids differ only in letter case', async () => {
    await world.stats.latestRuns(CALLER, ['AB', 'ab']);
    expect(world.requestedRuns).toEqual([['ab']]);
  });
});

describe('the usage of a project', () => {
  it('the usage of a project is measured at most once a minute', async () => {
    await world.stats.usage(CALLER, 'p1');
    world.clock.advance(59_999);
    expect(await world.stats.usage(CALLER, 'p1')).toMatchObject({
      measuredAt: NOW,
      usage: { executions: 1 },
    });
    world.clock.advance(1);
    expect((await world.stats.usage(CALLER, 'p1')).usage.executions).toBe(2);
  });

  it('cached usage of a project is refused to a caller who may no longer read the project', async () => {
    await world.stats.usage(CALLER, 'p1');
    world.reachable = [];
    await expect(world.stats.usage(CALLER, 'p1')).rejects.toMatchObject({ status: 403 });
  });
});
