import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { newExecution } from '../../../test/support/execution-store.js';
import type { NodeFailure } from '../../node-contract/index.js';
import { TooManyExecutionsError } from '../execution-start.errors.js';
import { ExecutionLimits } from './execution-limits.js';

const PROJECT = 'project';
const SECOND = 1_000;

/** Simulated number of unfinished executions of a project and of descendants of a root execution. */
class World {
  unfinished = 0;
  descendants = 0;
  error: Error | null = null;
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

describe('ExecutionLimits.admit', () => {
  it('a start request is admitted while its project is below the limit', async () => {
    world.unfinished = 1;
    await expect(world.limits(2, 9).admit(PROJECT)).resolves.toBeUndefined();
  });

  it('a start request at the limit of unfinished executions is refused, and the error contains the limit', async () => {
    world.unfinished = 2;
    await expect(world.limits(2, 9).admit(PROJECT)).rejects.toMatchObject({
      constructor: TooManyExecutionsError,
      details: { limit: 2 },
    });
  });

  it('if the last count of executions is below the limit, a start request is admitted synchronously without a new count', async () => {
    const limits = world.limits(1_000, 9);
    await limits.admit(PROJECT);
    expect(limits.admit(PROJECT)).toBeUndefined();
    expect(world.counted).toHaveLength(1);
  });

  it('executions of each project are counted separately', async () => {
    const limits = world.limits(1, 9);
    await limits.admit(PROJECT);
    await expect(limits.admit('other')).resolves.toBeUndefined();
  });

  it('a start request is rejected with the error of the database', async () => {
    world.error = new Error('The database is unavailable.');
    await expect(world.limits(2, 9).admit(PROJECT)).rejects.toBe(world.error);
  });
});

describe('ExecutionLimits.admitChild', () => {
  it('a child execution counts towards the limits of its project and of the root execution of its tree', async () => {
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

  it('a child execution is refused permanently when its root has MAX_DESCENDANTS descendants', async () => {
    world.descendants = 3;
    const refused = world.limits(9, 3).admitChild(world.parent);
    await expect(refused).rejects.toMatchObject({
      code: 'too_many_descendants',
      options: { retryable: false, details: { root_id: world.parent.id, limit: 3 } },
    } satisfies Partial<NodeFailure>);
    expect(world.counted).not.toContain(`project ${PROJECT}`);
  });

  it('a child execution is refused with a retryable error at the limit of unfinished executions', async () => {
    world.unfinished = 4;
    await expect(world.limits(4, 9).admitChild(world.parent)).rejects.toMatchObject({
      code: 'too_many_executions',
      options: { retryable: true, details: { limit: 4 } },
    } satisfies Partial<NodeFailure>);
  });
});

describe('ExecutionLimits count of descendants', () => {
  // The tests allow only one descendant, so that a pending child uses up the limit.
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  });

  /** Returns true if another child of `parent` is admitted within 10 seconds. */
  async function admitsOneMore(limits: ExecutionLimits, parent = world.parent): Promise<boolean> {
    const admitted = limits.admitChild(parent).then(
      () => true,
      () => false,
    );
    await vi.advanceTimersByTimeAsync(10 * SECOND);
    return admitted;
  }

  it('an admitted child counts as a descendant until `settle` is called', async () => {
    const limits = world.limits(9, 1);
    const settle = await limits.admitChild(world.parent);
    expect(await admitsOneMore(limits)).toBe(false);
    settle();
    expect(await admitsOneMore(limits)).toBe(true);
  });

  it('calling `settle` twice for one child frees only one admission', async () => {
    const limits = world.limits(9, 1);
    const settle = await limits.admitChild(world.parent);
    settle();
    expect(await admitsOneMore(limits)).toBe(true);
    // The second `settle` call of the first child must not free the admission of the second child.
    settle();
    expect(await admitsOneMore(limits)).toBe(false);
  });

  it('an admitted child no longer counts as a descendant after 30 seconds, even if `settle` is not called', async () => {
    const limits = world.limits(9, 1);
    await limits.admitChild(world.parent);
    await vi.advanceTimersByTimeAsync(19 * SECOND);
    expect(await admitsOneMore(limits)).toBe(false);
    await vi.advanceTimersByTimeAsync(SECOND);
    expect(await admitsOneMore(limits)).toBe(true);
  });

  it.each<[string, (refused: World) => void]>([
    ['the project has reached its limit', (refused) => void (refused.unfinished = 9)],
    ['the count of the project fails', (refused) => void (refused.error = new Error('Unavailable.'))],
  ])('a refused child does not count as a descendant when %s', async (_, refuse) => {
    const limits = world.limits(9, 1);
    refuse(world);
    await expect(limits.admitChild(world.parent)).rejects.toThrow();
    world.unfinished = 0;
    world.error = null;
    // For one second after a count reached the limit, admissions are refused without a new count.
    await vi.advanceTimersByTimeAsync(SECOND);
    expect(await admitsOneMore(limits)).toBe(true);
  });
});
