import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cancelled, newExecution, queued, started } from '../../test/support/execution-store.js';
import { StoreWorld } from '../../test/support/store-world.js';
import { newId } from '../platform/index.js';
import type { Execution } from './execution.js';
import { ExecutionLookupRepository } from './execution-lookup.repository.js';

const [WORKFLOW, OTHER_WORKFLOW, SESSION, OTHER_SESSION, PROJECT, OTHER_PROJECT] = [
  newId(),
  newId(),
  newId(),
  newId(),
  newId(),
  newId(),
];

/** Stored executions, each with a name of one letter, oldest first. */
const ROWS: Readonly<Record<string, Partial<Execution>>> = {
  a: { workflowId: WORKFLOW, projectId: PROJECT, deduplicationKey: 'order-1' },
  b: { workflowId: WORKFLOW, projectId: PROJECT, sessionId: SESSION },
  c: { workflowId: WORKFLOW, projectId: PROJECT, sessionId: SESSION },
  d: { workflowId: OTHER_WORKFLOW, projectId: PROJECT, deduplicationKey: 'order-1' },
  e: { workflowId: OTHER_WORKFLOW, projectId: OTHER_PROJECT, sessionId: OTHER_SESSION },
  f: {
    workflowId: WORKFLOW,
    projectId: OTHER_PROJECT,
    sessionId: OTHER_SESSION,
    deduplicationKey: 'order-2',
  },
};
const ENDED = ['c', 'f'];
const RUNNING = ['b'];

describe('looking up executions', () => {
  const ids = new Map<string, string>();
  let world: StoreWorld;
  let lookup: ExecutionLookupRepository;

  const idOf = (name: string): string => ids.get(name) ?? '';
  const nameOf = (id: string | undefined): string | undefined =>
    [...ids].find(([, known]) => known === id)?.[0];

  beforeAll(async () => {
    world = await StoreWorld.open();
    const { dataSource, slowQueries, executions } = world.store;
    lookup = new ExecutionLookupRepository(dataSource, 'sqlite', slowQueries);
    for (const [name, own] of Object.entries(ROWS)) {
      const execution = newExecution(own);
      ids.set(name, execution.id);
      await executions.insert(execution, [queued(null)], []);
      if (ENDED.includes(name)) await executions.forceAppend(execution, [cancelled()]);
      if (RUNNING.includes(name)) await executions.advance(execution, [started()], false);
    }
  });
  afterAll(() => world.close());

  describe('looking up executions by deduplication key', () => {
    it.each([
      ['the unfinished execution of the workflow', WORKFLOW, 'order-1', 'a'],
      ['the unfinished execution of another workflow with the same key', OTHER_WORKFLOW, 'order-1', 'd'],
      ['nothing for a key of an execution that has ended', WORKFLOW, 'order-2', undefined],
      ['nothing for an unknown key', WORKFLOW, 'order-3', undefined],
    ])('`findByKey` finds %s', async (_, workflowId, key, name) => {
      expect(nameOf((await lookup.findByKey(workflowId, key))?.id)).toBe(name);
    });
  });

  describe('looking up unfinished executions', () => {
    it.each([
      ['workflow', 'ab', WORKFLOW],
      ['workflow', 'de', OTHER_WORKFLOW],
      ['session', 'b', SESSION],
      ['session', 'e', OTHER_SESSION],
      ['project', 'abd', PROJECT],
      ['project', 'e', OTHER_PROJECT],
    ] as const)(
      '`unfinishedIds` returns the ids of the unfinished executions of a %s in ascending order: executions %s',
      async (kind, names, id) => {
        const found = await lookup.unfinishedIds(kind, id, '', 10);
        expect(found.map(nameOf).join('')).toBe(names);
      },
    );

    it('`unfinishedIds` returns only ids after the given id', async () => {
      const first = await lookup.unfinishedIds('project', PROJECT, '', 2);
      const second = await lookup.unfinishedIds('project', PROJECT, first.at(-1) ?? '', 2);
      const third = await lookup.unfinishedIds('project', PROJECT, second.at(-1) ?? '', 2);
      expect([first, second, third].map((page) => page.map(nameOf).join(''))).toEqual(['ab', 'd', '']);
    });

    it.each([
      ['a workflow', { workflowId: WORKFLOW }, 2],
      ['a session', { sessionId: SESSION }, 1],
      ['a project', { projectId: PROJECT }, 3],
    ])('`count` returns the number of unfinished executions of %s', async (_, owner, count) => {
      expect(await lookup.countUnfinished(owner)).toBe(count);
    });
  });

  it('`latest` returns the newest execution of each workflow', async () => {
    const found = await lookup.latest([OTHER_WORKFLOW, newId(), WORKFLOW]);
    expect(found.map(({ id }) => nameOf(id))).toEqual(['e', 'f']);
  });

  it('`countByStatus` counts the executions of each session by status', async () => {
    const counts = await lookup.countByStatus([SESSION, OTHER_SESSION, newId()]);
    const lines = counts.map(
      ({ sessionId, status, count }) => `${sessionId === SESSION ? 'one' : 'other'} ${status} ${count}`,
    );
    expect(lines.toSorted()).toEqual([
      'one cancelled 1',
      'one running 1',
      'other cancelled 1',
      'other queued 1',
    ]);
  });

  it('`findByKey` returns the same execution data as a read by id', async () => {
    expect(await lookup.findByKey(WORKFLOW, 'order-1')).toEqual(await world.store.executions.find(idOf('a')));
  });
});
