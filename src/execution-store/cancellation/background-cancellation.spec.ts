import { setImmediate as endOfTurn } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.js';
import { BackgroundCancellation } from './background-cancellation.js';
import type { CancellationJob, Orphan } from './cancellation-job.repository.js';

const SECOND = 1_000;
const DELETED = 'The workflow was deleted.';

class World {
  readonly clock = new ManualClock();
  readonly unfinished = new Map<string, string[]>();
  /** Unfinished executions whose parents have ended. */
  orphans: Orphan[] = [];
  adoptable: CancellationJob[] = [];
  readonly cancelled: { readonly id: string; readonly reason: string; readonly isSwept: boolean }[] = [];
  readonly removed: (readonly string[])[] = [];
  readonly failures = new Map<string, Error>();
  lookFailure: Error | null = null;
  /** Promise for which all cancellations wait. */
  gate: Promise<void> = Promise.resolve();
  atOnce = 0;
  mostAtOnce = 0;
  onCancel: (id: string) => void = () => undefined;

  readonly background = new BackgroundCancellation(
    {
      adopt: () => Promise.resolve(this.adoptable.splice(0)),
      orphans: (rootId, limit) => {
        this.failOnce();
        const found = this.orphans.filter((orphan) => rootId === null || orphan.rootId === rootId);
        return Promise.resolve(found.slice(0, limit));
      },
      remove: (ids) => {
        this.removed.push([...ids]);
        return Promise.resolve();
      },
    },
    { sweepWith: () => undefined, cancelChild: (id, reason, isSwept) => this.cancel(id, reason, isSwept) },
    {
      unfinishedIds: (_kind, ownerId, after, limit) => {
        this.failOnce();
        const ids = this.unfinished.get(ownerId) ?? [];
        return Promise.resolve(ids.filter((id) => id > after).slice(0, limit));
      },
    },
    this.clock,
  );

  /**
   * Adds `count` unfinished executions of a workflow.
   *
   * @returns the ids of the executions, oldest first
   */
  add(workflowId: string, count: number): readonly string[] {
    const ids = Array.from({ length: count }, (_, n) => `${workflowId}-${String(n).padStart(4, '0')}`);
    this.unfinished.set(workflowId, [...(this.unfinished.get(workflowId) ?? []), ...ids]);
    return ids;
  }

  get cancelledIds(): readonly string[] {
    return this.cancelled.map(({ id }) => id);
  }

  private async cancel(id: string, reason: string, isSwept = false): Promise<void> {
    this.atOnce += 1;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.atOnce);
    await this.gate;
    this.atOnce -= 1;
    const failure = this.failures.get(id);
    if (failure !== undefined) throw failure;
    this.cancelled.push({ id, reason, isSwept });
    for (const [owner, ids] of this.unfinished)
      this.unfinished.set(
        owner,
        ids.filter((other) => other !== id),
      );
    this.orphans = this.orphans.filter((orphan) => orphan.id !== id);
    this.onCancel(id);
  }

  private failOnce(): void {
    const { lookFailure } = this;
    this.lookFailure = null;
    if (lookFailure !== null) throw lookFailure;
  }
}

let world: World;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  world = new World();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const ofWorkflow = (subjectId: string, id = `job of ${subjectId}`): CancellationJob => ({
  id,
  kind: 'workflow',
  subjectId,
  reason: DELETED,
});
const ofTree = (subjectId: string, id = subjectId): CancellationJob => ({
  id,
  kind: 'tree',
  subjectId,
  reason: null,
});
const orphan = (id: string, parentId: string, rootId: string | null = 'root'): Orphan => ({
  id,
  parentId,
  rootId,
});

async function pass(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
  await endOfTurn();
}

describe("the cancellation of a workflow's executions", () => {
  it('a cancellation job cancels each execution of a workflow once', async () => {
    const ids = world.add('w', 250);
    await world.background.begin(ofWorkflow('w'));
    expect(world.cancelledIds.toSorted()).toEqual(ids);
    expect(new Set(world.cancelled.map(({ reason, isSwept }) => `${reason} ${isSwept}`))).toEqual(
      new Set([`${DELETED} false`]),
    );
  });

  it('a cancellation job cancels at most 16 executions concurrently', async () => {
    world.add('w', 60);
    await world.background.begin(ofWorkflow('w'));
    expect(world.mostAtOnce).toBe(16);
  });

  it('a cancellation job cancels an execution whose start was being committed when the job began', async () => {
    world.add('w', 1);
    await world.background.begin(ofWorkflow('w'));
    expect(world.removed).toEqual([]);
    const [late] = world.add('w', 1);
    await pass(2 * SECOND);
    expect(world.cancelledIds.at(-1)).toBe(late);
    expect(world.removed).toEqual([['job of w']]);
  });

  it('a cancellation job that is added before the last query of an equal job gets a last query of its own', async () => {
    await world.background.begin(ofWorkflow('w'));
    await pass(2 * SECOND - 1);
    void world.background.begin(ofWorkflow('w', 'second'));
    await pass(1);
    expect(world.removed).toEqual([]);
    const [late] = world.add('w', 1);
    await pass(2 * SECOND);
    expect([world.cancelledIds, world.removed]).toEqual([[late], [['job of w', 'second']]]);
  });

  it('a cancellation job lets other jobs run after each page of 100 executions', async () => {
    world.add('large', 250);
    world.add('small', 1);
    await Promise.all([
      world.background.begin(ofWorkflow('large')),
      world.background.begin(ofWorkflow('small')),
    ]);
    expect(world.cancelledIds.indexOf('small-0000')).toBe(100);
    expect(world.cancelled).toHaveLength(251);
  });

  it('two cancellation jobs for the same workflow cancel each execution only once, and both jobs are removed', async () => {
    world.add('w', 1);
    const first = world.background.begin(ofWorkflow('w', 'one'));
    const second = world.background.begin(ofWorkflow('w', 'two'));
    expect(second).toBe(first);
    await first;
    await pass(2 * SECOND);
    expect(world.removed).toEqual([['one', 'two']]);
    expect(world.cancelled).toHaveLength(1);
  });

  it('a cancellation job retries an execution that could not be cancelled', async () => {
    vi.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const ids = world.add('w', 3);
    world.failures.set(ids[1] ?? '', new Error('It changed too often.'));
    void world.background.begin(ofWorkflow('w'));
    await endOfTurn();
    expect(world.cancelledIds).toEqual([ids[0], ids[2]]);
    world.failures.clear();
    await pass(SECOND);
    expect(world.cancelledIds).toEqual([ids[0], ids[2], ids[1]]);
  });

  it('a cancellation job is retried after a second when the database is unavailable', async () => {
    const warned = vi.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    world.add('w', 1);
    world.lookFailure = new Error('The database is away.');
    void world.background.begin(ofWorkflow('w'));
    await endOfTurn();
    expect([world.cancelled.length, warned.mock.calls.length]).toEqual([0, 1]);
    await pass(SECOND);
    expect(world.cancelled).toHaveLength(1);
  });
});

describe('the cancellation of a tree', () => {
  it('the cancellation job of an execution tree cancels children whose parents have ended, level by level', async () => {
    world.orphans = [orphan('child', 'root')];
    world.onCancel = (id) => {
      if (id === 'child') world.orphans.push(orphan('grandchild', 'child'));
    };
    await world.background.begin(ofTree('root'));
    expect(world.cancelled).toEqual([
      { id: 'child', reason: 'Its parent root has ended.', isSwept: true },
      { id: 'grandchild', reason: 'Its parent child has ended.', isSwept: true },
    ]);
  });

  it('the cancellation job of an execution tree is removed immediately if no unfinished child is left', async () => {
    await world.background.begin(ofTree('root'));
    await endOfTurn();
    expect(world.removed).toEqual([['root']]);
  });

  it('the cancellation job of an execution tree cancels no execution of another tree', async () => {
    world.orphans = [orphan('a', 'root'), orphan('b', 'other', 'other')];
    await world.background.begin(ofTree('root'));
    expect(world.cancelledIds).toEqual(['a']);
  });
});

describe('waiting for a background cancellation', () => {
  it('a wait for a cancellation job ends when all executions of the job have ended', async () => {
    world.add('w', 1);
    const job = ofWorkflow('w');
    void world.background.begin(job);
    await world.background.settled(job, 250);
    expect(world.cancelled).toHaveLength(1);
  });

  it('`settled()` stops waiting for a cancellation job after the given time limit', async () => {
    const gate = Promise.withResolvers<void>();
    world.gate = gate.promise;
    world.add('w', 1);
    const job = ofWorkflow('w');
    void world.background.begin(job);
    vi.useRealTimers();
    await world.background.settled(job, 1);
    expect(world.cancelled).toEqual([]);
    gate.resolve();
  });

  it('`settled()` returns immediately for a cancellation job that is not running', async () => {
    await world.background.settled(ofWorkflow('w'), 60_000);
    expect(world.cancelled).toEqual([]);
  });
});

describe('polling for abandoned cancellations', () => {
  it('a cancellation poll carries out the cancellation jobs of dead processes', async () => {
    world.add('w', 2);
    world.adoptable = [ofWorkflow('w')];
    await world.background.sweep();
    await endOfTurn();
    expect(world.cancelled).toHaveLength(2);
  });

  it('once a minute, a poll cancels unfinished children if the parent has ended and no cancellation job exists', async () => {
    world.orphans = [orphan('a', 'root')];
    await world.background.sweep();
    await endOfTurn();
    expect(world.cancelledIds).toEqual(['a']);
    world.orphans = [orphan('b', 'root')];
    world.clock.advance(59 * SECOND);
    await world.background.sweep();
    await endOfTurn();
    expect(world.cancelledIds).toEqual(['a']);
    world.clock.advance(SECOND);
    await world.background.sweep();
    await endOfTurn();
    expect(world.cancelledIds).toEqual(['a', 'b']);
  });

  it('a cancellation poll cancels the child of an ended parent even if an older release stored the child without a root id', async () => {
    world.orphans = [orphan('a', 'parent', null)];
    await world.background.sweep();
    await endOfTurn();
    expect(world.cancelled).toMatchObject([{ id: 'a', isSwept: true }]);
  });
});

describe('a cancellation poll that fails', () => {
  it('a cancellation poll logs that the child of an ended parent without a root id could not be cancelled', async () => {
    const warn = vi.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    world.orphans = [orphan('a', 'parent', null)];
    world.failures.set('a', new Error('The database is unavailable.'));
    await world.background.sweep();
    expect(warn).toHaveBeenCalledOnce();
  });
});

describe('shutdown of background cancellation', () => {
  it('a shutdown finishes the cancellations in progress and starts no further cancellations', async () => {
    const gate = Promise.withResolvers<void>();
    world.gate = gate.promise;
    world.add('w', 40);
    void world.background.begin(ofWorkflow('w'));
    await endOfTurn();
    const ended = world.background.beforeApplicationShutdown();
    gate.resolve();
    await ended;
    expect(world.cancelled).toHaveLength(16);
    await pass(10 * SECOND);
    expect([world.cancelled.length, world.removed]).toEqual([16, []]);
  });
});
