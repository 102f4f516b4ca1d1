import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { newExecution } from '../../../test/support/execution-store.js';
import type { NodeFailure } from '../../node-contract/index.js';
import { TooManyExecutionsError } from '../execution-start.errors.js';
import { ExecutionLimits } from './execution-limits.js';

const PROJECT = 'project';
const SECOND = 1_000;

/** A database with executions of one project and descendants of one root. */
class World {
  unfinished = 0;
  descendants = 0;
  /** What counts of a project reject with. */
  error: Error | null = null;
  /** Keys that were counted. */
  readonly counted: string[] = [];
  readonly parent = newExecution({ projectId: PROJECT });

  limits(maxUnfinished: number, maxDescendants: number): ExecutionLimits {
    return new ExecutionLimits(
      {
        unfinished: (projectId, atMost) =>
          this.error === null
            ? this.count(`project ${projectId}`, this.unfinished, atMost)
            : Promise.reject(this.error),
        descendants: (rootId, atMost) => this.count(`root ${rootId}`, this.descendants, atMost),
      },
      { MAX_UNFINISHED_EXECUTIONS: maxUnfinished, MAX_DESCENDANTS: maxDescendants },
    );
  }

  private async count(key: string, count: number, atMost: number): Promise<number> {
    this.counted.push(key);
    return Math.min(count, atMost);
  }
}

let world: World;
beforeEach(() => {
  world = new World();
});
afterEach(() => vi.useRealTimers());

describe('a start', () => {
  it('is admitted while its project has room', async () => {
    world.unfinished = 1;
    await expect(world.limits(2, 9).admit(PROJECT)).resolves.toBeUndefined();
  });

  it('is refused with the limit when its project is full', async () => {
    world.unfinished = 2;
    await expect(world.limits(2, 9).admit(PROJECT)).rejects.toMatchObject({
      constructor: TooManyExecutionsError,
      details: { limit: 2 },
    });
  });

  it('waits for nothing while the last count admits more', async () => {
    const limits = world.limits(1_000, 9);
    await limits.admit(PROJECT);
    expect(limits.admit(PROJECT)).toBeUndefined();
    expect(world.counted).toHaveLength(1);
  });

  it('does not count for the limit of another project', async () => {
    const limits = world.limits(1, 9);
    await limits.admit(PROJECT);
    await expect(limits.admit('other')).resolves.toBeUndefined();
  });

  it('rejects with the error of the database', async () => {
    world.error = new Error('The database is unavailable.');
    await expect(world.limits(2, 9).admit(PROJECT)).rejects.toBe(world.error);
  });
});

describe('a child', () => {
  it('counts for its project and for the root of its parent', async () => {
    const root = { ...world.parent, rootId: 'root' };
    await world.limits(9, 9).admitChild(root);
    await world.limits(9, 9).admitChild(world.parent);
    expect(world.counted).toEqual([
      'root root',
      `project ${PROJECT}`,
      `root ${world.parent.id}`,
      `project ${PROJECT}`,
    ]);
  });

  it('is refused for good when its root has as many descendants as MAX_DESCENDANTS allows', async () => {
    world.descendants = 3;
    const refused = world.limits(9, 3).admitChild(world.parent);
    await expect(refused).rejects.toMatchObject({
      code: 'too_many_descendants',
      options: { retryable: false, details: { root_id: world.parent.id, limit: 3 } },
    } satisfies Partial<NodeFailure>);
    expect(world.counted).not.toContain(`project ${PROJECT}`);
  });

  it('is refused for now when its project has too many unfinished executions', async () => {
    world.unfinished = 4;
    await expect(world.limits(4, 9).admitChild(world.parent)).rejects.toMatchObject({
      code: 'too_many_executions',
      options: { retryable: true, details: { limit: 4 } },
    } satisfies Partial<NodeFailure>);
  });
});

describe('the place of a child among the descendants', () => {
  // One descendant is allowed, and none is stored: the only place is that of the child that is being committed.
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  });

  /** Whether the root admits one more child within the given time. */
  async function admitsOneMore(limits: ExecutionLimits, parent = world.parent): Promise<boolean> {
    const admitted = limits.admitChild(parent).then(
      () => true,
      () => false,
    );
    await vi.advanceTimersByTimeAsync(10 * SECOND);
    return admitted;
  }

  it('is taken until the child is settled', async () => {
    const limits = world.limits(9, 1);
    const settle = await limits.admitChild(world.parent);
    expect(await admitsOneMore(limits)).toBe(false);
    settle();
    expect(await admitsOneMore(limits)).toBe(true);
  });

  it('is given up once when the child is settled twice', async () => {
    const limits = world.limits(9, 1);
    const settle = await limits.admitChild(world.parent);
    settle();
    expect(await admitsOneMore(limits)).toBe(true);
    // The second child is in its commit now; the first must not free its place.
    settle();
    expect(await admitsOneMore(limits)).toBe(false);
  });

  it('is given up after 30 seconds when nobody settles the child', async () => {
    const limits = world.limits(9, 1);
    await limits.admitChild(world.parent);
    await vi.advanceTimersByTimeAsync(19 * SECOND);
    expect(await admitsOneMore(limits)).toBe(false);
    await vi.advanceTimersByTimeAsync(SECOND);
    expect(await admitsOneMore(limits)).toBe(true);
  });

  it.each<[string, (refused: World) => void]>([
    ['the project is full', (refused) => void (refused.unfinished = 9)],
    ['the count of the project fails', (refused) => void (refused.error = new Error('Unavailable.'))],
  ])('is given up when %s', async (_, refuse) => {
    const limits = world.limits(9, 1);
    refuse(world);
    await expect(limits.admitChild(world.parent)).rejects.toThrow();
    world.unfinished = 0;
    world.error = null;
    // A full count is believed for a second.
    await vi.advanceTimersByTimeAsync(SECOND);
    expect(await admitsOneMore(limits)).toBe(true);
  });
});
