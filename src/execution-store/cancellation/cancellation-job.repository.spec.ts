import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { cancelled, newExecution, queued } from '../../../test/support/execution-store.js';
import { ManualClock } from '../../../test/support/manual-clock.js';
import { StoreWorld } from '../../../test/support/store-world.js';
import { newId } from '../../platform/index.js';
import type { Execution } from '../execution.js';
import { type CancellationJob, CancellationJobRepository } from './cancellation-job.repository.js';

const DELETED = 'The workflow was deleted.';

let world: StoreWorld;
beforeAll(async () => {
  world = await StoreWorld.open();
});
afterAll(() => world.close());

interface Process {
  readonly id: string;
  readonly jobs: CancellationJobRepository;
}

async function process(): Promise<Process> {
  const id = await world.addProcess();
  const { dataSource, writer } = world.store;
  const clock = new ManualClock(Date.UTC(2030, 0, 1));
  return { id, jobs: new CancellationJobRepository(dataSource, 'sqlite', writer, { id }, clock) };
}

async function write({ jobs }: Process, subjectId = newId()): Promise<CancellationJob> {
  const job = jobs.ofOwner('workflow', subjectId, DELETED);
  await world.store.writer.commit({ writes: [jobs.insert(job)] });
  return job;
}

const subjects = (jobs: readonly CancellationJob[]): readonly string[] =>
  jobs.map(({ subjectId }) => subjectId).toSorted();

const ownerOf = async (job: CancellationJob): Promise<string | null | undefined> =>
  (await world.rows<{ owner: string | null }>('SELECT owner FROM cancellation_jobs WHERE id = ?', job.id))[0]
    ?.owner;

describe('CancellationJobRepository', () => {
  it.each([
    [{ id: 'leaf', rootId: 'root' }, 'root'],
    [{ id: 'root', rootId: null }, 'root'],
  ])(
    '`ofTree(%o)` returns a cancellation job with the id of the execution, and with the root of the tree, %s, as subject',
    async (execution, subjectId) => {
      const { jobs } = await process();
      expect(jobs.ofTree(execution)).toEqual({ id: execution.id, kind: 'tree', subjectId, reason: null });
    },
  );

  it('each cancellation job of a workflow, session or project has a new id', async () => {
    const { jobs } = await process();
    const [first, second] = [1, 2].map(() => jobs.ofOwner('session', 's', DELETED));
    expect(first?.id).not.toBe(second?.id);
  });
});

describe('adopting cancellation jobs', () => {
  let mine: Process;
  let other: Process;

  beforeEach(async () => {
    await world.rows('DELETE FROM cancellation_jobs');
    [mine, other] = [await process(), await process()];
  });

  it('`adopt()` returns an empty list when no cancellation job exists', async () => {
    expect(await mine.jobs.adopt()).toEqual([]);
  });

  it('`adopt()` returns the cancellation jobs that the calling process wrote', async () => {
    const job = await write(mine);
    expect(await mine.jobs.adopt()).toEqual([job]);
  });

  it('`adopt()` does not take over the cancellation jobs of a live process', async () => {
    const job = await write(other);
    await write(mine);
    expect(subjects(await mine.jobs.adopt())).not.toContain(job.subjectId);
    expect(await ownerOf(job)).toBe(other.id);
  });

  it('`adopt()` takes over the cancellation jobs of a dead process, so that no third process can take them over', async () => {
    const job = await write(other);
    const own = await write(mine);
    await world.instances.remove([other.id]);
    expect(subjects(await mine.jobs.adopt())).toEqual(subjects([job, own]));
    expect(await ownerOf(job)).toBe(mine.id);
    const third = await process();
    expect(await third.jobs.adopt()).toEqual([]);
  });

  it('`adopt()` takes over a cancellation job without an owner', async () => {
    const job = await write(other);
    await world.rows('UPDATE cancellation_jobs SET owner = NULL');
    expect(await mine.jobs.adopt()).toEqual([job]);
  });

  it('`adopt()` gives the cancellation job of a dead process to only one process', async () => {
    const job = await write(other);
    await world.instances.remove([other.id]);
    const processes = [mine, await process()];
    await Promise.all(processes.map(({ jobs }) => jobs.adopt()));
    const adopted = await Promise.all(processes.map(({ jobs }) => jobs.adopt()));
    expect(adopted.flat()).toEqual([job]);
    expect(processes.map(({ id }) => id)).toContain(await ownerOf(job));
  });
});

describe('removing cancellation jobs', () => {
  it('`remove()` deletes only the given cancellation jobs', async () => {
    const own = await process();
    const [first, second, kept] = [await write(own), await write(own), await write(own)];
    await own.jobs.remove([first.id, second.id]);
    expect(await own.jobs.adopt()).toEqual([kept]);
  });
});

describe('queries of a tree of executions', () => {
  /** Names of executions. The name of a parent is the name of its child without the last letter. */
  const NAMES = ['a', 'ab', 'abc', 'abcd', 'ax', 'other', 'otherz'];
  let jobs: CancellationJobRepository;
  let tree: Map<string, Execution>;

  beforeEach(async () => {
    ({ jobs } = await process());
    await world.rows('DELETE FROM executions');
    tree = new Map();
    for (const name of NAMES) {
      const parent = tree.get(name.slice(0, -1));
      const rootId = parent === undefined ? null : (parent.rootId ?? parent.id);
      const execution = newExecution({ parentId: parent?.id ?? null, rootId });
      tree.set(name, execution);
      await world.store.executions.insert(execution, [queued(null)], []);
    }
  });

  function of(name: string): Execution {
    const execution = tree.get(name);
    if (execution === undefined) throw new Error(`The tree has no ${name}.`);
    return execution;
  }
  const nameOf = (id: string): string => [...tree].find(([, one]) => one.id === id)?.[0] ?? 'unknown';

  async function end(...names: readonly string[]): Promise<void> {
    for (const name of names) await world.store.executions.forceAppend(of(name), [cancelled()]);
  }

  /** Returns the orphans of a tree as texts such as `ab below a`, sorted. Null as `root` means all trees. */
  async function orphans(root: string | null, limit = 10): Promise<readonly string[]> {
    const found = await jobs.orphans(root === null ? null : of(root).id, limit);
    return found.map(({ id, parentId }) => `${nameOf(id)} below ${nameOf(parentId)}`).toSorted();
  }

  it('`orphans()` returns no executions while no parent has ended', async () => {
    await end('abcd');
    expect(await orphans(null)).toEqual([]);
  });

  it('`orphans()` returns the unfinished children of ended parents, but not their descendants', async () => {
    await end('a');
    expect(await orphans('a')).toEqual(['ab below a', 'ax below a']);
    await end('ab');
    expect(await orphans('a')).toEqual(['abc below ab', 'ax below a']);
  });

  it('`orphans()` returns children of ended parents in one execution tree or in all trees, up to a limit', async () => {
    await end('a', 'other');
    expect(await orphans('other')).toEqual(['otherz below other']);
    expect(await orphans(null)).toHaveLength(3);
    expect(await orphans(null, 2)).toHaveLength(2);
  });

  it('`orphans()` returns children without a root id if called for all trees, but not if called for one tree', async () => {
    await end('other');
    await world.rows('UPDATE executions SET root_id = NULL WHERE id = ?', of('otherz').id);
    expect(await orphans('other')).toEqual([]);
    expect(await jobs.orphans(null, 10)).toEqual([
      { id: of('otherz').id, parentId: of('other').id, rootId: null },
    ]);
  });

  it('`endedAncestors()` returns the nearest ended ancestor of each execution', async () => {
    await end('a', 'abc');
    const found = await jobs.endedAncestors(NAMES.map((name) => of(name).id));
    expect([...found].map(([id, ancestor]) => `${nameOf(id)}: ${nameOf(ancestor)}`).toSorted()).toEqual([
      'ab: a',
      'abc: a',
      'abcd: abc',
      'ax: a',
    ]);
  });

  it('`descendants()` counts all descendants and the unfinished descendants', async () => {
    await end('abcd', 'ax');
    expect(await jobs.descendants(of('a'))).toEqual({ total: 4, unfinished: 2 });
    expect(await jobs.descendants(of('ab'))).toEqual({ total: 2, unfinished: 1 });
    expect(await jobs.descendants(of('abcd'))).toEqual({ total: 0, unfinished: 0 });
  });

  it('`descendants()` counts no unfinished descendants if all of them have ended', async () => {
    await end('otherz');
    expect(await jobs.descendants(of('other'))).toEqual({ total: 0, unfinished: 0 });
  });
});
