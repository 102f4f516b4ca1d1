import { beforeEach, describe, expect, it } from 'vitest';
import { newExecution, queued, started } from '../../test/support/execution-store.js';
import { ManualClock } from '../../test/support/manual-clock.js';
import { fold } from '../engine/index.js';
import type { JournalEvent } from '../execution-events/index.js';
import type { Write } from '../storage/index.js';
import { Cancellation } from './cancellation.js';
import type { CancellationJob } from './cancellation/cancellation-job.repository.js';
import { type Execution, executionAfter, NOT_STARTED } from './execution.js';
import { ExecutionChangedError, ExecutionFinishedError } from './execution.errors.js';

const START = Date.UTC(2030, 0, 1);
const PARENT = '01a00000-0000-7000-8000-0000000000d1';

/** The waiting event of a node that waits for a child execution. */
const waitsForChild = (childId: string): JournalEvent =>
  ({
    type: 'workflow.node.waiting',
    at: START,
    nodeId: 'call',
    attempt: 1,
    data: {
      node_id: 'call',
      node_type: 'workflow',
      status: 'waiting',
      waiting_for: 'child',
      child_execution_id: childId,
      until: null,
      progress: { completed: 0, total: 1 },
    },
  }) as unknown as JournalEvent;

/** Further content of the commit of a cancellation. */
interface Along {
  readonly writes?: readonly Write[];
  readonly isOrphan?: boolean;
}

/** An execution and its journal, to which another writer may append concurrently. */
class World {
  events: JournalEvent[] = [queued(null), started()];
  execution: Execution;
  /** Concurrent writes, one before each next commit of the cancellation. */
  meanwhile: (() => void)[] = [];
  readonly commits: { readonly events: readonly JournalEvent[]; readonly writes: readonly Write[] }[] = [];
  readonly log: string[] = [];
  ancestor: string | undefined;

  readonly cancellation = new Cancellation(
    {
      forceAppend: async (execution, events, along?: Along) => {
        const { writes = [], isOrphan } = along ?? {};
        this.meanwhile.shift()?.();
        if (execution.progress.lastSequence !== this.events.length) throw new ExecutionChangedError();
        this.commits.push({ events, writes });
        if (isOrphan === true) this.log.push('as an orphan');
        this.events.push(...events);
        this.execution = executionAfter(this.execution, events);
        return this.execution;
      },
      revokeLease: async (_id, until) =>
        void this.log.push(`taken away for ${(Date.parse(until) - START) / 1_000} s`),
      findWhole: async () => this.execution,
    },
    { currentState: async () => fold(this.events) },
    {
      empty: () => ({ sql: 'empty the inbox', parameters: [] }),
      tellOfCancelled: () => void this.log.push('told its holder'),
      wake: async (id) => void this.log.push(`woke ${id}`),
    },
    {
      endedAncestors: async (ids) =>
        new Map(this.ancestor === undefined ? [] : ids.map((id) => [id, this.ancestor ?? ''])),
      ofTree: ({ id, rootId }) => ({ id, kind: 'tree', subjectId: rootId ?? id, reason: null }),
      insert: ({ subjectId }) => ({ sql: `job of ${subjectId}`, parameters: [] }),
    },
    new ManualClock(START),
  );

  constructor(own: Partial<Execution> = {}) {
    this.execution = this.now(own);
    this.cancellation.sweepWith({
      begin: async ({ subjectId }: CancellationJob) => void this.log.push(`sweep ${subjectId}`),
      settled: async ({ subjectId }, ms) => void this.log.push(`wait ${ms} ms for ${subjectId}`),
    });
  }

  /** The execution after the events so far. */
  now(own: Partial<Execution> = {}): Execution {
    const fresh = newExecution({ progress: { ...NOT_STARTED, lastSequence: 1 }, ...own });
    return executionAfter(fresh, this.events.slice(1));
  }

  /** The lease holder appends an event. */
  goOn(event: JournalEvent): void {
    this.events.push(event);
    this.execution = executionAfter(this.execution, [event]);
  }

  sqlOf(commit: number): readonly string[] {
    return (this.commits[commit]?.writes ?? []).map((write) => ('sql' in write ? write.sql : 'row'));
  }
}

const ends = (type: 'workflow.completed' | 'workflow.cancelled'): JournalEvent =>
  ({
    type,
    at: START,
    nodeId: null,
    attempt: null,
    data: {
      status: type.slice('workflow.'.length),
      output: null,
      reason: null,
      duration_ms: 1,
      progress: { completed: 1, total: 1 },
    },
  }) as unknown as JournalEvent;

let world: World;
beforeEach(() => {
  world = new World();
});

describe('cancelling an execution', () => {
  it('appends the end with the reason and empties the inbox in the same commit', async () => {
    const ended = await world.cancellation.cancel(world.execution, 'No longer wanted');
    expect(ended.progress.status).toBe('cancelled');
    expect(world.commits[0]?.events).toMatchObject([
      { type: 'workflow.cancelled', data: { reason: 'No longer wanted' } },
    ]);
    expect(world.sqlOf(0)).toEqual(['empty the inbox']);
    expect(world.log).toEqual([]);
  });

  it('notifies the lease holder of a cancelled execution, which aborts its running nodes', async () => {
    world = new World({ lease: { owner: 'another-process', epoch: 3 } });
    await world.cancellation.cancel(world.execution, null);
    expect(world.log).toEqual(['told its holder']);
  });

  it('revokes the lease of a holder that appends meanwhile, and retries the cancellation', async () => {
    world.meanwhile = [() => world.goOn(waitsForChild('child'))];
    const ended = await world.cancellation.cancel(world.execution, null);
    expect(ended.progress.status).toBe('cancelled');
    expect(world.log.slice(0, 2)).toEqual(['taken away for 30 s', 'told its holder']);
    expect(world.commits).toHaveLength(1);
  });

  it('changes nothing when the execution is already cancelled', async () => {
    world.goOn(ends('workflow.cancelled'));
    expect(await world.cancellation.cancel(world.execution, null)).toBe(world.execution);
    expect(world.commits).toEqual([]);
  });

  it('refuses to cancel an execution that ended in another way, before the cancellation or during it', async () => {
    const before = world.execution;
    world.meanwhile = [() => world.goOn(ends('workflow.completed'))];
    await expect(world.cancellation.cancel(before, null)).rejects.toBeInstanceOf(ExecutionFinishedError);
    await expect(world.cancellation.cancel(world.execution, null)).rejects.toBeInstanceOf(
      ExecutionFinishedError,
    );
    expect(world.commits).toEqual([]);
  });

  it('gives up a cancellation after 20 tries', async () => {
    world.meanwhile = Array.from({ length: 30 }, () => () => world.goOn(waitsForChild('child')));
    await expect(world.cancellation.cancel(world.execution, null)).rejects.toBeInstanceOf(
      ExecutionChangedError,
    );
    expect(world.meanwhile).toHaveLength(10);
  });
});

describe('cancelling an execution that waits for a child', () => {
  beforeEach(() => {
    world.goOn(waitsForChild('child'));
  });

  it('writes a job for the descendants in the commit of the cancellation', async () => {
    await world.cancellation.cancel(world.execution, null);
    expect(world.sqlOf(0)).toEqual(['empty the inbox', `job of ${world.execution.id}`]);
    expect(world.log).toEqual([`sweep ${world.execution.id}`]);
  });

  it('waits 250 ms for the descendants when the whole tree is cancelled', async () => {
    await world.cancellation.cancelTree(world.execution, null);
    expect(world.log.at(-1)).toBe(`wait 250 ms for ${world.execution.id}`);
  });

  it('writes no job for the descendants when a job cancels the execution as a descendant', async () => {
    await world.cancellation.cancelChild(world.execution.id, 'Its parent has ended.', true);
    expect([world.sqlOf(0), world.log]).toEqual([['empty the inbox'], ['as an orphan']]);
  });
});

describe('cancelling a child', () => {
  it('wakes the parent of a child that is cancelled on its own', async () => {
    world = new World({ parentId: PARENT });
    await world.cancellation.cancel(world.execution, null);
    expect(world.log).toEqual([`woke ${PARENT}`]);
  });

  it('leaves a child that has already ended unchanged', async () => {
    world.goOn(ends('workflow.completed'));
    await world.cancellation.cancelChild(world.execution.id, 'Its parent has ended.');
    expect(world.commits).toEqual([]);
  });

  it.each([
    [PARENT, `Its parent ${PARENT} has ended.`],
    ['the-root', 'The execution the-root above it has ended.'],
  ])('cancels a child when its ancestor %s has ended', async (ancestor, reason) => {
    world = new World({ parentId: PARENT });
    world.ancestor = ancestor;
    expect(await world.cancellation.cancelBelowEnded(world.execution)).toBe(true);
    expect(world.commits[0]?.events).toMatchObject([{ data: { reason } }]);
  });

  it('does not cancel a child when none of its ancestors has ended', async () => {
    world = new World({ parentId: PARENT });
    expect(await world.cancellation.cancelBelowEnded(world.execution)).toBe(false);
    expect(await world.cancellation.cancelBelowEnded(newExecution({ parentId: null }))).toBe(false);
    expect(world.commits).toEqual([]);
  });
});
