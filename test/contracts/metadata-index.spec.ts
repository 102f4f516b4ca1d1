import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/expressions/index.js';
import { ExecutionListRepository } from '../../src/executions/execution-list.repository.js';
import { ExecutionCountRepository } from '../../src/execution-totals/execution-count.repository.js';
import { newId } from '../../src/platform/index.js';
import { databaseKinds, type TestDatabase } from '../support/database.js';
import { ExecutionStore, newExecution, queued } from '../support/execution-store.js';
import { undoMigrationsTo } from '../support/migrations.js';

const PROJECT = newId();
const LONG = 'x'.repeat(201);

/**
 * The metadata of one execution. The filter `metadata[key]=value` must find the execution by each value except null.
 */
const METADATA = {
  text: 'a b',
  empty: '',
  awkward: `it's "so"; \\u0000 %_ 😀`,
  zero: 0,
  minus: -42,
  whole: 9_007_199_254_740_991,
  large: 123_456_789_012_345_680_000,
  larger: 1e21,
  part: 0.1,
  small: 1e-7,
  yes: true,
  no: false,
  none: null,
  list: [1, 'x'],
  long: LONG,
  wide: '😀'.repeat(150),
  'a.b': 'dot',
  $path: 'dollar',
  'qu"ote': 'quote',
  '': 'no name',
  [LONG]: 'long name',
} satisfies JsonObject;

const FOUND: readonly (readonly [string, string])[] = Object.entries(METADATA)
  .filter(([, value]) => value !== null)
  .map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)]);
const NOT_FOUND = [
  ['text', 'a'],
  ['text', 'A B'],
  ['zero', '0.0'],
  ['yes', '1'],
  ['none', 'null'],
  ['none', ''],
  ['list', '[1]'],
  ['long', LONG.slice(1)],
  ['missing', ''],
] as const;

for (const kind of await databaseKinds())
  describe(`the search of executions by metadata on ${kind.name}`, () => {
    let database: TestDatabase;
    let store: ExecutionStore;
    let lists: ExecutionListRepository;

    beforeEach(async () => {
      database = await kind.create();
      store = await ExecutionStore.open(database.settings);
      const counts = new ExecutionCountRepository(store.dataSource, kind.name, store.slowQueries);
      lists = new ExecutionListRepository(store.dataSource, kind.name, counts, store.slowQueries);
    });

    afterEach(async () => {
      await store.close();
      await database.drop();
    });

    /**
     * Copies the row of an execution with all columns that the table currently has. The table has an older schema in
     * one test.
     */
    async function copyRow(id: string, metadata: JsonObject): Promise<string> {
      const columns = await store.dataSource.query<readonly { readonly name: string }[]>(
        kind.name === 'sqlite'
          ? `SELECT name FROM pragma_table_info('executions')`
          : `SELECT column_name AS name FROM information_schema.columns WHERE table_name = 'executions'`,
      );
      const copy = newId();
      const replaced: Readonly<Record<string, string>> = {
        id: `'${copy}'`,
        metadata: `'${JSON.stringify(metadata)}'`,
      };
      await store.dataSource.query(
        `INSERT INTO executions (${columns.map(({ name }) => `"${name}"`).join(', ')})
         SELECT ${columns.map(({ name }) => replaced[name] ?? `"${name}"`).join(', ')} FROM executions WHERE id = '${id}'`,
      );
      return copy;
    }

    async function insert(metadata: JsonObject, projectId = PROJECT): Promise<string> {
      const execution = newExecution({ projectId, metadata });
      await store.executions.insert(execution, [queued(null, metadata)], []);
      return execution.id;
    }

    async function find(
      metadata: readonly (readonly [string, string])[],
      more: object = {},
    ): Promise<readonly string[]> {
      const filter = { projectIds: [PROJECT], metadata: new Map(metadata), ...more };
      const { items, total } = await lists.list(filter, { limit: 50, offset: 0, order: 'asc' });
      expect(total).toBe(items.length);
      return items.map(({ id }) => id);
    }

    const entries = (): Promise<readonly unknown[]> =>
      store.dataSource.query('SELECT execution_id, key, value FROM execution_metadata ORDER BY 1, 2');

    /**
     * Adds 1,001 index entries of other executions for each key. With more than 1,000 possible matches, a metadata
     * filter does not use the index.
     */
    async function makeCommon(): Promise<void> {
      for (const [key] of FOUND) {
        const name = key.replaceAll("'", "''");
        const rows = Array.from({ length: 1_001 }, () => `('${newId()}', '${PROJECT}', '${name}')`);
        await store.dataSource.query(
          `INSERT INTO execution_metadata (execution_id, project_id, key) VALUES ${rows.join(', ')}`,
        );
      }
    }

    it('a metadata filter finds executions by text, number, boolean and list values, for rare and common keys', async () => {
      const id = await insert(METADATA);
      await insert({ text: 'other', zero: 1 });
      await insert({});
      await insert(METADATA, newId());
      for (const times of ['few', 'many']) {
        for (const pair of FOUND) expect(await find([pair]), `${times}: ${pair.join()}`).toEqual([id]);
        for (const pair of NOT_FOUND) expect(await find([pair]), `${times}: ${pair.join()}`).toEqual([]);
        expect(await find(FOUND), times).toEqual([id]);
        expect(await find([['text', 'a b'], ['minus', '-43']]), times).toEqual([]); // prettier-ignore
        await makeCommon();
      }
    });

    it('a list of executions combines a metadata filter with filters by id, status, trigger, workflow and project', async () => {
      const [first, second] = [await insert({ customer: '1' }), await insert({ customer: '1' })];
      const pairs = [['customer', '1']] as const;
      expect(await find(pairs)).toEqual([first, second]);
      expect(await find(pairs, { ids: [second, newId()] })).toEqual([second]);
      expect(await find(pairs, { statuses: ['queued', 'running'] })).toEqual([first, second]);
      expect(await find(pairs, { statuses: ['failed'] })).toEqual([]);
      expect(await find(pairs, { trigger: 'schedule' })).toEqual([]);
      expect(await find(pairs, { workflowId: newId() })).toEqual([]);
      expect(await find(pairs, { projectIds: [newId(), PROJECT] })).toEqual([first, second]);
      const filter = { projectIds: [PROJECT, newId()], metadata: new Map(pairs) };
      const page = await lists.list(filter, { limit: 1, offset: 1, order: 'desc' });
      expect([page.total, page.items.map(({ id }) => id)]).toEqual([2, [first]]);
      const next = await lists.list(filter, { limit: 1, offset: 0, order: 'desc', after: second });
      expect([next.total, next.items.map(({ id }) => id)]).toEqual([2, [first]]);
    });

    it('the deletion of an execution removes its entries from the metadata index', async () => {
      const id = await insert({ customer: '1', n: 1 });
      const other = await insert({ customer: '1' });
      expect(await entries()).toHaveLength(3);
      await store.dataSource.query(`DELETE FROM executions WHERE id = '${id}'`);
      expect(await entries()).toEqual([{ execution_id: other, key: 'customer', value: '1' }]);
    });

    it('the migration that creates the metadata index adds existing executions to the index', async () => {
      const id = await insert(METADATA);
      await insert({});
      const before = await entries();
      expect(before).toHaveLength(Object.keys(METADATA).length - 2);
      await undoMigrationsTo(store.dataSource, 'ExecutionMetadata1763890000000');
      const unseen = await copyRow(id, { text: 'a b' });
      await store.dataSource.runMigrations();
      expect(await find([['text', 'a b']])).toEqual([id, unseen]);
      expect(await entries()).toEqual(expect.arrayContaining([...before]));
      expect(await entries()).toHaveLength(before.length + 1);
    });
  });
