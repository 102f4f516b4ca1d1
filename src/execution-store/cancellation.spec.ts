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

interface FurtherContent {
  readonly writes?: readonly Write[];
  readonly isOrphan?: boolean;
}

/** A simulated execution with its journal. Simulated other processes can append events to the journal. */
class World {
  events: JournalEvent[] = [queued(null), started()];
  execution: Execution;
  /** Actions of other processes, in order. One of them runs before each commit of the cancellation. */
  meanwhile: (() => void)[] = [];
  readonly commits: { readonly events: readonly JournalEvent[]; readonly writes: readonly Write[] }[] = [];
  readonly log: string[] = [];
  ancestor: string | undefined;

  readonly cancellation = new Cancellation(
    {
      forceAppend: async (execution, events, sameCommit?: FurtherContent) => {
        const { writes = [], isOrphan } = sameCommit ?? {};
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
      notifyCancelled: () => void this.log.push('notified its holder'),
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

  now(own: Partial<Execution> = {}): Execution {
    const fresh = newExecution({ progress: { ...NOT_STARTED, lastSequence: 1 }, ...own });
    return executionAfter(fresh, this.events.slice(1));
  }

  append(event: JournalEvent): void {
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
  it('a cancellation appends the final event and empties the inbox in one commit', async () => {
    const ended = await world.cancellation.cancel(world.execution, 'No longer wanted');
    expect(ended.progress.status).toBe('cancelled');
    expect(world.commits[0]?.events).toMatchObject([
      { type: 'workflow.cancelled', data: { reason: 'No longer wanted' } },
    ]);
    expect(world.sqlOf(0)).toEqual(['empty the inbox']);
    expect(world.log).toEqual([]);
  });

  it('a cancellation notifies the process that runs the execution', async () => {
    world = new World({ lease: { owner: 'another-process', epoch: 3 } });
    await world.cancellation.cancel(world.execution, null);
    expect(world.log).toEqual(['notified its holder']);
  });

  it('a cancellation revokes the lease if the process that runs the execution appends events at the same time', async () => {
    world.meanwhile = [() => world.append(waitsForChild('child'))];
    const ended = await world.cancellation.cancel(world.execution, null);
    expect(ended.progress.status).toBe('cancelled');
    expect(world.log.slice(0, 2)).toEqual(['taken away for 30 s', 'notified its holder']);
    expect(world.commits).toHaveLength(1);
  });

  it('a cancellation changes nothing when the execution is already cancelled', async () => {
    world.append(ends('workflow.cancelled'));
    expect(await world.cancellation.cancel(world.execution, null)).toBe(world.execution);
    expect(world.commits).toEqual([]);
  });

  it('a cancellation is refused when the execution has already completed', async () => {
    const before = world.execution;
    world.meanwhile = [() => world.append(ends('workflow.completed'))];
    await expect(world.cancellation.cancel(before, null)).rejects.toBeInstanceOf(ExecutionFinishedError);
    await expect(world.cancellation.cancel(world.execution, null)).rejects.toBeInstanceOf(
      ExecutionFinishedError,
    );
    expect(world.commits).toEqual([]);
  });

  it('a cancellation fails after concurrent appends have prevented it 20 times', async () => {
    world.meanwhile = Array.from({ length: 30 }, () => () => world.append(waitsForChild('child')));
    await expect(world.cancellation.cancel(world.execution, null)).rejects.toBeInstanceOf(
      ExecutionChangedError,
    );
    expect(world.meanwhile).toHaveLength(10);
  });
});

describe('cancelling an execution that waits for a child', () => {
  beforeEach(() => {
    world.append(waitsForChild('child'));
  });

  it('the cancellation of a parent writes a job that cancels the descendants of the parent', async () => {
    await world.cancellation.cancel(world.execution, null);
    expect(world.sqlOf(0)).toEqual(['empty the inbox', `job of ${world.execution.id}`]);
    expect(world.log).toEqual([`sweep ${world.execution.id}`]);
  });

  it('the cancellation of an execution tree waits at most 250 ms for the cancellation of the descendants', async () => {
    await world.cancellation.cancelTree(world.execution, null);
    expect(world.log.at(-1)).toBe(`wait 250 ms for ${world.execution.id}`);
  });

  it('when a cancellation job cancels a child, the cancellation of the child writes no further job', async () => {
    await world.cancellation.cancelChild(world.execution.id, 'Its parent has ended.', true);
    expect([world.sqlOf(0), world.log]).toEqual([['empty the inbox'], ['as an orphan']]);
  });
});

describe('cancelling a child', () => {
  it('cancelling a child execution, but not its parent, wakes the parent', async () => {
    world = new World({ parentId: PARENT });
    await world.cancellation.cancel(world.execution, null);
    expect(world.log).toEqual([`woke ${PARENT}`]);
  });

  it('a child execution that has already ended is not cancelled', async () => {
    world.append(ends('workflow.completed'));
    await world.cancellation.cancelChild(world.execution.id, 'Its parent has ended.');
    expect(world.commits).toEqual([]);
  });

  it.each([
    [PARENT, `Its parent ${PARENT} has ended.`],
    ['the-root', 'Its ancestor the-root has ended.'],
  ])('a child execution is cancelled when its ancestor %s has ended', async (ancestor, reason) => {
    world = new World({ parentId: PARENT });
    world.ancestor = ancestor;
    expect(await world.cancellation.cancelBelowEnded(world.execution)).toBe(true);
    expect(world.commits[0]?.events).toMatchObject([{ data: { reason } }]);
  });

  it('a child execution is not cancelled when none of its ancestors has ended', async () => {
    world = new World({ parentId: PARENT });
    expect(await world.cancellation.cancelBelowEnded(world.execution)).toBe(false);
    expect(await world.cancellation.cancelBelowEnded(newExecution({ parentId: null }))).toBe(false);
    expect(world.commits).toEqual([]);
  });
});
