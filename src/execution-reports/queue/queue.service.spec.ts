import { beforeEach, describe, expect, it } from 'vitest';
import { CALLER } from '../../../test/support/executions-fakes.js';
import { ManualClock } from '../../../test/support/manual-clock.js';
import type { Principal } from '../../access/index.js';
import type { Instance } from '../../instances/index.js';
import { QueueService } from './queue.service.js';

const NOW = '2030-01-01T00:00:00.000Z';
const ADMIN: Principal = { ...CALLER, role: 'admin' };
const process = (id: string): Instance => ({
  id,
  host: 'h',
  pid: 1,
  role: 'worker',
  version: '1.0.0',
  startedAt: NOW,
  silentMs: 0,
});

/** A `QueueService` on simulated repositories, which record the queries that count queued executions. */
class World {
  readonly clock = new ManualClock(Date.parse(NOW));
  readonly queries: { readonly ids: readonly string[]; readonly now: string }[] = [];

  readonly queue = new QueueService(
    {
      projects: (ids, now) => {
        this.queries.push({ ids, now });
        return Promise.resolve([]);
      },
      held: () => Promise.resolve(new Map([['p2', 3]])),
    },
    { list: () => Promise.resolve([process('p2'), process('p1')]) },
    {
      reachable: ({ teamId }) => {
        const rest = { teamId, name: '', description: null, createdAt: NOW, updatedAt: NOW };
        return Promise.resolve([{ id: `project of ${teamId}`, ...rest }]);
      },
    },
    this.clock,
  );
}

let world: World;
beforeEach(() => {
  world = new World();
});

describe('queue figures', () => {
  it.each([
    ['a member', { role: 'member' }],
    ['a viewer', { role: 'viewer' }],
    ['an admin whose key is bound to a project', { role: 'admin', projectId: 'project-1' }],
  ] as const)('queue figures are refused to %s, without a database query', async (_who, own) => {
    await expect(world.queue.read({ ...CALLER, ...own })).rejects.toMatchObject({ code: 'admin_required' });
    expect(world.queries).toEqual([]);
  });

  it.each(['admin', 'owner'] as const)(
    'the queue figures for an %s cover only the projects that this caller can read',
    async (role) => {
      await world.queue.read({ ...CALLER, role });
      expect(world.queries).toEqual([{ ids: [`project of ${CALLER.teamId}`], now: NOW }]);
    },
  );

  it('queue figures list all processes in the order of their ids, including processes without executions', async () => {
    const { figures } = await world.queue.read(ADMIN);
    expect(figures.processes.map(({ id, held }) => [id, held])).toEqual([
      ['p1', 0],
      ['p2', 3],
    ]);
  });

  it('queue figures are cached for 2 seconds and keep the time of their measurement', async () => {
    await world.queue.read(ADMIN);
    world.clock.advance(1_999);
    expect((await world.queue.read(ADMIN)).measuredAt).toBe(Date.parse(NOW));
    expect(world.queries).toHaveLength(1);
    world.clock.advance(1);
    await world.queue.read(ADMIN);
    expect(world.queries).toHaveLength(2);
  });

  it('queue figures of one team are never returned to another team', async () => {
    await world.queue.read(ADMIN);
    await world.queue.read({ ...ADMIN, teamId: 'other' });
    expect(world.queries.map(({ ids }) => ids)).toEqual([
      [`project of ${CALLER.teamId}`],
      ['project of other'],
    ]);
  });

  it('queue statistics are refused to a member even if the statistics are cached for an admin of the team', async () => {
    await world.queue.read(ADMIN);
    await expect(world.queue.read(CALLER)).rejects.toMatchObject({ code: 'admin_required' });
  });
});
