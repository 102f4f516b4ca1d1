import { setImmediate as endOfTurn } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.js';
import { BackgroundCancellation } from './background-cancellation.js';
import type { CancellationJob } from './cancellation-job.repository.js';

const SECOND = 1_000;
const ROOT = 'root';
const WORKFLOW = 'workflow';

interface Row {
  readonly parentId: string | null;
  readonly rootId: string | null;
  readonly workflowId: string;
  hasEnded: boolean;
}

interface Process {
  readonly background: BackgroundCancellation;
  /**
   * Simulates a crash of the process. The process is no longer a live instance, and none of its pending promises ever
   * settles.
   */
  readonly crash: () => void;
}

class Cluster {
  readonly executions = new Map<string, Row>();
  readonly jobs = new Map<string, { readonly job: CancellationJob; owner: string }>();
  readonly live = new Set<string>();
  readonly ended: string[] = [];
  beforeCancel: (id: string) => void | Promise<void> = () => undefined;
  /** Called after each query for executions that must be cancelled. */
  afterQuery: () => void = () => undefined;
  /** Errors with which the next deletions of jobs fail, in order. */
  removeErrors: Error[] = [];
  readonly orphanLimits: number[] = [];
  readonly removed: (readonly string[])[] = [];

  readonly clock = new ManualClock();

  process(name: string): Process {
    this.live.add(name);
    const survived = async <T>(result: T): Promise<T> =>
      this.live.has(name) ? result : new Promise<never>(() => undefined);
    const background = new BackgroundCancellation(
      {
        adopt: () => {
          const adopted = [...this.jobs.values()].filter(
            ({ owner }) => owner === name || !this.live.has(owner),
          );
          for (const one of adopted) one.owner = name;
          return survived(adopted.map(({ job }) => job));
        },
        orphans: async (rootId, limit) => {
          this.orphanLimits.push(limit);
          const found = [...this.executions].flatMap(([id, { parentId, rootId: root, hasEnded }]) =>
            !hasEnded &&
            parentId !== null &&
            (rootId === null || root === rootId) &&
            this.executions.get(parentId)?.hasEnded === true
              ? [{ id, parentId, rootId: root }]
              : [],
          );
          this.afterQuery();
          return survived(found.slice(0, limit));
        },
        remove: async (ids) => {
          const error = this.removeErrors.shift();
          if (error !== undefined) throw error;
          this.removed.push([...ids]);
          for (const id of ids) this.jobs.delete(id);
          return survived(undefined);
        },
      },
      {
        sweepWith: () => undefined,
        cancelChild: async (id) => {
          await this.beforeCancel(id);
          await survived(undefined);
          const row = this.executions.get(id);
          if (row === undefined || row.hasEnded) return;
          row.hasEnded = true;
          this.ended.push(`${name} ${id}`);
        },
      },
      {
        unfinishedIds: (_kind, workflowId, after, limit) => {
          const ids = [...this.executions]
            .filter(([id, row]) => row.workflowId === workflowId && !row.hasEnded && id > after)
            .map(([id]) => id);
          this.afterQuery();
          return survived(ids.toSorted().slice(0, limit));
        },
      },
      this.clock,
    );
    return { background, crash: () => void this.live.delete(name) };
  }

  addJob(job: CancellationJob, owner: string): CancellationJob {
    this.jobs.set(job.id, { job, owner });
    return job;
  }

  add(id: string, parentId: string | null = null): void {
    const parent = parentId === null ? undefined : this.executions.get(parentId);
    const rootId = parentId === null ? null : (parent?.rootId ?? parentId);
    this.executions.set(id, { parentId, rootId, workflowId: WORKFLOW, hasEnded: false });
  }

  /**
   * Adds an ended root execution with unfinished children.
   *
   * @returns the ids of the children
   */
  addTree(children: number): readonly string[] {
    this.add(ROOT);
    const root = this.executions.get(ROOT);
    if (root !== undefined) root.hasEnded = true;
    const ids = Array.from({ length: children }, (_, n) => `child-${String(n).padStart(4, '0')}`);
    for (const id of ids) this.add(id, ROOT);
    return ids;
  }

  get unfinished(): readonly string[] {
    return [...this.executions].filter(([, { hasEnded }]) => !hasEnded).map(([id]) => id);
  }

  endedBy(name: string): readonly string[] {
    return this.ended.filter((line) => line.startsWith(`${name} `)).map((line) => line.split(' ')[1] ?? '');
  }
}

const ofTree = (id = ROOT): CancellationJob => ({ id, kind: 'tree', subjectId: ROOT, reason: null });
const ofWorkflow = (id = 'deletion'): CancellationJob => ({
  id,
  kind: 'workflow',
  subjectId: WORKFLOW,
  reason: 'The workflow was deleted.',
});

let cluster: Cluster;
let a: Process;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  cluster = new Cluster();
  a = cluster.process('a');
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

async function pass(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
  await endOfTurn();
}

function afterEnded(count: number, then: () => void): Promise<void> {
  return new Promise((resolve) => {
    cluster.beforeCancel = () => {
      if (cluster.ended.length < count) return;
      cluster.beforeCancel = () => undefined;
      then();
      resolve();
    };
  });
}

describe('background cancellation after a crash', () => {
  it('after a crash of the process that cancels an execution tree, another process cancels the rest of the tree', async () => {
    const ids = cluster.addTree(250);
    const job = cluster.addJob(ofTree(), 'a');
    const crashed = afterEnded(120, a.crash);
    void a.background.begin(job);
    await crashed;
    await endOfTurn();
    const b = cluster.process('b');
    await b.background.sweep();
    await b.background.begin(job);
    await endOfTurn();
    expect(cluster.unfinished).toEqual([]);
    expect([...cluster.endedBy('a'), ...cluster.endedBy('b')].toSorted()).toEqual(ids);
    expect(cluster.endedBy('b').length).toBeGreaterThan(100);
    expect(cluster.jobs.size).toBe(0);
  });

  it('another process continues the cancellation of all executions of a workflow after a crash', async () => {
    for (const n of [1, 2, 3]) cluster.add(`e${n}`);
    const job = cluster.addJob(ofWorkflow(), 'a');
    cluster.beforeCancel = (id) => {
      if (id === 'e1') a.crash();
    };
    void a.background.begin(job);
    await endOfTurn();
    expect(cluster.ended).toEqual([]);
    cluster.beforeCancel = () => undefined;
    await cluster.process('b').background.sweep();
    await endOfTurn();
    expect(cluster.endedBy('b')).toEqual(['e1', 'e2', 'e3']);
  });

  it('another process carries out a cancellation job whose owner died before the job began', async () => {
    cluster.addTree(1);
    cluster.addJob(ofTree(), 'a');
    a.crash();
    await cluster.process('b').background.sweep();
    await endOfTurn();
    expect([cluster.ended, cluster.jobs.size]).toEqual([['b child-0000'], 0]);
  });

  it('a process does not adopt the cancellation job of a process that is alive', async () => {
    cluster.add('e1');
    cluster.addJob(ofWorkflow(), 'a');
    await cluster.process('b').background.sweep();
    await pass(10 * SECOND);
    expect([cluster.ended, cluster.jobs.get('deletion')?.owner]).toEqual([[], 'a']);
  });
});

describe('adoption of cancellation jobs', () => {
  it('a process carries out its own cancellation job that was written but never started', async () => {
    cluster.add('e1');
    cluster.addJob(ofWorkflow(), 'a');
    await a.background.sweep();
    await endOfTurn();
    expect(cluster.ended).toEqual(['a e1']);
  });

  it('a process does not carry out a cancellation job twice at the same time', async () => {
    cluster.add('e1');
    const gate = Promise.withResolvers<void>();
    let cancellations = 0;
    cluster.beforeCancel = () => {
      cancellations += 1;
      return gate.promise;
    };
    void a.background.begin(cluster.addJob(ofWorkflow(), 'a'));
    await endOfTurn();
    await a.background.sweep();
    await a.background.sweep();
    await endOfTurn();
    expect(cancellations).toBe(1);
    gate.resolve();
    await pass(2 * SECOND);
    expect([cluster.ended, cluster.removed]).toEqual([['a e1'], [['deletion']]]);
  });

  it('a process carries out a second cancellation job of a workflow after the first job has ended', async () => {
    cluster.add('e1');
    await a.background.begin(cluster.addJob(ofWorkflow(), 'a'));
    await pass(2 * SECOND);
    cluster.add('e2');
    cluster.addJob(ofWorkflow('second deletion'), 'a');
    await a.background.sweep();
    await pass(2 * SECOND);
    expect([cluster.ended, cluster.jobs.size]).toEqual([['a e1', 'a e2'], 0]);
  });

  it('a cancellation poll queries at most 500 unfinished children of ended parents', async () => {
    await a.background.sweep();
    expect(cluster.orphanLimits).toEqual([500]);
  });

  it('one cancellation sweep cancels all unfinished children of ended parents in an execution tree', async () => {
    cluster.addTree(3);
    await a.background.sweep();
    await endOfTurn();
    // One limit for each of three queries: the poll for orphans (500), the page with three orphans (100), and the empty
    // last page (100).
    expect(cluster.orphanLimits).toEqual([500, 100, 100]);
    expect(cluster.ended).toHaveLength(3);
  });
});

describe('a tree that grows during its sweep', () => {
  it('a cancellation sweep of an execution tree continues until no level of the tree has an unfinished execution', async () => {
    cluster.addTree(2);
    let children = 0;
    cluster.beforeCancel = (id) => {
      if (children < 5) cluster.add(`descendant-${(children += 1)}`, id);
    };
    await a.background.begin(cluster.addJob(ofTree(), 'a'));
    expect(children).toBe(5);
    expect(cluster.unfinished).toEqual([]);
    expect(cluster.ended).toHaveLength(7);
  });

  it('a cancellation sweep cancels an execution tree that is larger than one page and grows during the sweep', async () => {
    const ids = cluster.addTree(101);
    cluster.beforeCancel = (id) => {
      if (id === ids[100]) for (let n = 0; n < 120; n += 1) cluster.add(`late-${n}`, id);
    };
    await a.background.begin(cluster.addJob(ofTree(), 'a'));
    expect(cluster.unfinished).toEqual([]);
    expect(cluster.ended).toHaveLength(221);
  });

  it('a cancellation job that is added during the last query of a sweep is kept until further queries', async () => {
    cluster.addTree(0);
    let queries = 0;
    const jobsAtQuery: number[] = [];
    cluster.afterQuery = () => {
      jobsAtQuery.push(cluster.jobs.size);
      if ((queries += 1) !== 1) return;
      // Simulates a descendant that ended and left an unfinished child. The end of the descendant stored a second job.
      cluster.add('late', ROOT);
      void a.background.begin(cluster.addJob(ofTree('second'), 'a'));
    };
    await a.background.begin(cluster.addJob(ofTree(), 'a'));
    await endOfTurn();
    expect(cluster.ended).toEqual(['a late']);
    // One job is stored during each of three queries: the first job during the first query, and the second
    // job during the other two queries.
    expect(jobsAtQuery).toEqual([1, 1, 1]);
    expect(cluster.jobs.size).toBe(0);
  });
});

describe('shutdown during background cancellation', () => {
  it('a shutdown leaves an unfinished cancellation job to another process', async () => {
    const ids = cluster.addTree(150);
    const job = cluster.addJob(ofTree(), 'a');
    let stopped = Promise.resolve();
    const isStopping = afterEnded(110, () => (stopped = a.background.beforeApplicationShutdown()));
    void a.background.begin(job);
    await isStopping;
    await stopped;
    expect(cluster.jobs.has(ROOT)).toBe(true);
    expect(cluster.endedBy('a').length).toBeLessThan(150);
    cluster.live.delete('a');
    const b = cluster.process('b');
    await b.background.sweep();
    await b.background.begin(job);
    expect([...cluster.endedBy('a'), ...cluster.endedBy('b')].toSorted()).toEqual(ids);
  });

  it('a failed cancellation sweep is not retried after a shutdown began', async () => {
    vi.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    cluster.add('e1');
    let tries = 0;
    cluster.beforeCancel = () => {
      tries += 1;
      throw new Error('The database is unavailable.');
    };
    void a.background.begin(cluster.addJob(ofWorkflow(), 'a'));
    await endOfTurn();
    await a.background.beforeApplicationShutdown();
    await pass(10 * SECOND);
    expect([tries, cluster.jobs.size]).toEqual([1, 1]);
  });
});

describe('background cancellation while the database is unavailable', () => {
  it('a cancellation sweep retries a page that failed while the database was unavailable', async () => {
    const warned = vi.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    for (const n of [1, 2, 3]) cluster.add(`e${n}`);
    cluster.beforeCancel = () => {
      throw new Error('The database is unavailable.');
    };
    const done = a.background.begin(cluster.addJob(ofWorkflow(), 'a'));
    await endOfTurn();
    await pass(SECOND);
    await pass(SECOND);
    expect([cluster.ended, warned.mock.calls.length]).toEqual([[], 3]);
    cluster.beforeCancel = () => undefined;
    await pass(SECOND);
    await done;
    expect(cluster.ended).toEqual(['a e1', 'a e2', 'a e3']);
  });

  it('a failed removal of a cancellation job does not delay callers that wait for the job', async () => {
    vi.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    cluster.addTree(1);
    cluster.removeErrors = [new Error('The database is unavailable.')];
    await a.background.begin(cluster.addJob(ofTree(), 'a'));
    await endOfTurn();
    expect([cluster.ended.length, cluster.jobs.size]).toEqual([1, 1]);
    await pass(SECOND);
    expect(cluster.jobs.size).toBe(0);
  });

  it('an error in the cancellation job of a workflow does not stop the cancellation job of an execution tree', async () => {
    vi.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    cluster.addTree(1);
    cluster.add('e1');
    cluster.beforeCancel = (id) => {
      if (id === 'e1') throw new Error('The row is locked.');
    };
    void a.background.begin(cluster.addJob(ofWorkflow(), 'a'));
    await a.background.begin(cluster.addJob(ofTree(), 'a'));
    await endOfTurn();
    expect(cluster.ended).toContain('a child-0000');
    expect(cluster.unfinished).toEqual(['e1']);
  });
});
