import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds, type TestDatabase } from '../../test/support/database.js';
import { cancelled, ExecutionStore, newExecution, queued } from '../../test/support/execution-store.js';
import type { Execution, ExecutionFilter } from '../execution-store/index.js';
import { ExecutionCountRepository } from '../execution-totals/index.js';
import { isoTime } from '../platform/index.js';
import type { IdPlace } from '../pages/index.js';
import { ExecutionListRepository } from './execution-list.repository.js';

const START = Date.UTC(2030, 0, 1);
const MINUTE = 60_000;
const MINE = '01a00000-0000-7000-8000-0000000000b1';
const OURS = '01a00000-0000-7000-8000-0000000000b2';
const FOREIGN = '01a00000-0000-7000-8000-0000000000b9';
const WORKFLOW = '01a00000-0000-7000-8000-0000000000d1';
const SESSION = '01a00000-0000-7000-8000-0000000000c1';

/** Test executions by name. Each is created one hour after the previous one. */
const OWN: Readonly<Record<string, Partial<Execution>>> = {
  a: { projectId: MINE, workflowId: WORKFLOW },
  b: { projectId: OURS, sessionId: SESSION },
  c: { projectId: MINE, trigger: { type: 'schedule', id: null } },
  d: { projectId: FOREIGN, workflowId: WORKFLOW, sessionId: SESSION, metadata: { order: '17' } },
  e: { projectId: MINE, metadata: { order: '17', tenant: 'x' } },
  f: { projectId: OURS, workflowId: WORKFLOW, metadata: { order: '18' } },
};
const CANCELLED = ['b', 'c'];

/** A UUID v7 whose first 48 bits contain the given time. */
const idAt = (epochMs: number, last: string): string => {
  const time = epochMs.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-00000000000${last}`;
};
const hourOf = (name: string): number => START + Object.keys(OWN).indexOf(name) * 60 * MINUTE;
const id = (name: string): string => idAt(hourOf(name), name);

describe('ExecutionListRepository on SQLite', () => {
  let database: TestDatabase;
  let store: ExecutionStore;
  let lists: ExecutionListRepository;

  beforeAll(async () => {
    const [sqlite] = await databaseKinds();
    if (sqlite === undefined) throw new Error('There is no SQLite.');
    database = await sqlite.create();
    store = await ExecutionStore.open(database.settings);
    const counts = new ExecutionCountRepository(store.dataSource, 'sqlite', store.slowQueries);
    lists = new ExecutionListRepository(store.dataSource, 'sqlite', counts, store.slowQueries);
    for (const [name, own] of Object.entries(OWN)) {
      const retryOf = name === 'f' ? id('b') : null;
      const execution = newExecution({ id: id(name), createdAt: isoTime(hourOf(name)), retryOf, ...own });
      await store.executions.insert(execution, [queued(null, execution.metadata)], []);
      if (CANCELLED.includes(name)) await store.executions.advance(execution, [cancelled()], true);
    }
  });

  afterAll(async () => {
    await store.close();
    await database.drop();
  });

  async function list(
    filter: Partial<ExecutionFilter> = {},
    page: Partial<IdPlace> = {},
  ): Promise<readonly [names: string, total: number]> {
    const { items, total } = await lists.list(
      { projectIds: [MINE, OURS], ...filter },
      { limit: 10, offset: 0, order: 'asc', ...page },
    );
    return [items.map((execution) => execution.id.slice(-1)).join(''), total];
  }

  it.each<[string, Partial<ExecutionFilter>, string]>([
    ['several projects', {}, 'abcef'],
    ['one project', { projectIds: [MINE] }, 'ace'],
    ['no project', { projectIds: [] }, ''],
    ['one status', { statuses: ['cancelled'] }, 'bc'],
    ['several statuses', { statuses: ['cancelled', 'queued'] }, 'abcef'],
    ['a repeated status', { statuses: ['cancelled', 'cancelled'] }, 'bc'],
    ['a status that no execution has', { statuses: ['failed'] }, ''],
    ['a workflow', { workflowId: WORKFLOW }, 'af'],
    ['a session', { sessionId: SESSION }, 'b'],
    ['a workflow and a status', { workflowId: WORKFLOW, statuses: ['cancelled'] }, ''],
    ['a trigger', { trigger: 'schedule' }, 'c'],
    ['an exclusive lower bound of creation', { createdAfter: isoTime(hourOf('c')) }, 'ef'],
    ['an exclusive upper bound of creation', { createdBefore: isoTime(hourOf('c')) }, 'ab'],
    ['metadata', { metadata: new Map([['order', '17']]) }, 'e'],
    [
      'metadata that differ in one key',
      {
        metadata: new Map([
          ['order', '17'],
          ['tenant', 'y'],
        ]),
      },
      '',
    ],
    ['executions that were not retried', { isNotRetried: true, statuses: ['cancelled'] }, 'c'],
    ['an empty list of ids', { ids: [] }, ''],
    ['ids in any order', { ids: [id('e'), id('a')] }, 'ae'],
  ])(
    'a list of executions with %s contains and counts only matching executions',
    async (_what, filter, names) => {
      expect(await list(filter)).toEqual([names, names.length]);
      expect(await list(filter, { order: 'desc' })).toEqual([
        names.split('').toReversed().join(''),
        names.length,
      ]);
    },
  );

  it.each([
    ['workflow', { workflowId: WORKFLOW }],
    ['session', { sessionId: SESSION }],
    ['metadata', { metadata: new Map([['order', '17']]) }],
    ['ids', { ids: [id('d')] }],
  ])(
    'a list of executions filtered by %s does not contain an execution of another project',
    async (_by, filter) => {
      const [names] = await list(filter);
      expect(names).not.toContain('d');
    },
  );

  it.each([
    ['asc', 'abcef'],
    ['desc', 'fecba'],
  ] as const)(
    'a list of executions contains all matching executions, page by page, in the order %s',
    async (order, expected) => {
      let seen = '';
      let after: string | undefined;
      for (;;) {
        const [names] = await list({}, { order, limit: 2, ...(after === undefined ? {} : { after }) });
        if (names === '') break;
        seen += names;
        after = id(names.slice(-1));
      }
      expect(seen).toBe(expected);
    },
  );

  it.each([
    ['merged projects', {}, 'ef'],
    ['one project', { projectIds: [MINE] }, ''],
    ['a workflow', { workflowId: WORKFLOW }, ''],
  ])(
    'a list of the executions of %s starts after the offset, and the total includes the executions before the offset',
    async (_what, filter, names) => {
      const [, all] = await list(filter);
      expect(await list(filter, { offset: 3 })).toEqual([names, all]);
    },
  );

  it('a list of executions with a cursor ignores the offset', async () => {
    expect(await list({}, { after: id('b'), offset: 2 })).toEqual(['cef', 5]);
  });

  it('a list of executions continues after a cursor of a deleted execution', async () => {
    expect(await list({}, { after: idAt(hourOf('b') + MINUTE, '0') })).toEqual(['cef', 5]);
  });

  it('a list of executions has the requested order even for more than 250 projects', async () => {
    const others = Array.from(
      { length: 250 },
      (_, n) => `01a00000-0000-7000-9000-${String(n).padStart(12, '0')}`,
    );
    expect(await list({ projectIds: [OURS, ...others, MINE] }, { order: 'desc', limit: 3 })).toEqual([
      'fec',
      5,
    ]);
  });
});
