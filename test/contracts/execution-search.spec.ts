import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ExecutionFinder } from '../../src/execution-search/execution-finder.js';
import { WordIndexKeeper } from '../../src/execution-search/word-index-keeper.js';
import { WordIndexRepository } from '../../src/execution-search/word-index.repository.js';
import { WordLookupRepository } from '../../src/execution-search/word-lookup.repository.js';
import type { Execution } from '../../src/execution-store/execution.js';
import { newId } from '../../src/platform/index.js';
import { marked } from '../../src/storage/index.js';
import { databaseKinds, type TestDatabase } from '../support/database.js';
import { ExecutionStore, failed, newExecution, queued, started } from '../support/execution-store.js';
import { ManualClock } from '../support/manual-clock.js';

const PROJECT = newId();
const OTHER = newId();
const MINUTE = 60_000;

for (const kind of await databaseKinds())
  describe(`search of executions on ${kind.name}`, () => {
    let database: TestDatabase;
    let store: ExecutionStore;
    let clock: ManualClock;
    let index: WordIndexRepository;
    let keeper: WordIndexKeeper;
    let finder: ExecutionFinder;

    beforeEach(async () => {
      database = await kind.create();
      store = await ExecutionStore.open(database.settings);
      clock = new ManualClock();
      index = new WordIndexRepository(store.dataSource, kind.name, store.writer);
      keeper = new WordIndexKeeper(index, clock);
      finder = new ExecutionFinder(index, new WordLookupRepository(store.dataSource, kind.name));
    });

    afterEach(async () => {
      await store.close();
      await database.drop();
    });

    async function insert(own: Partial<Execution>): Promise<Execution> {
      const execution = newExecution({ projectId: PROJECT, ...own });
      await store.executions.insert(execution, [queued(execution.input)], []);
      return execution;
    }

    async function fail(execution: Execution, message: string): Promise<void> {
      const running = await store.executions.advance(execution, [started()], false);
      await store.executions.advance(running, [failed(message)], true);
    }

    /**
     * Advances the clock until the executions are old enough for the search index, and adds the executions to the
     * index.
     */
    async function keep(): Promise<void> {
      clock.advance(6 * MINUTE);
      await keeper.keep();
    }

    const found = async (text: string, projectIds = [PROJECT], limit?: number): Promise<readonly string[]> =>
      (await finder.find(text, projectIds, limit)).ids;

    async function entries(): Promise<number> {
      const [row] = await store.dataSource.query<readonly { n: number | string }[]>(
        'SELECT count(*) AS n FROM search_words',
      );
      return Number(row?.n);
    }

    for (const place of ['in the index', 'after the watermark'] as const)
      describe(`executions ${place}`, () => {
        const ready = (): Promise<void> => (place === 'in the index' ? keep() : Promise.resolve());

        it('a search finds executions by word prefixes of the values in their input and metadata', async () => {
          const { id } = await insert({
            input: { customer: { mail: 'Ada@example.com' } },
            metadata: { order: 'ORD-1042' },
          });
          await insert({ input: 'else' });
          await ready();
          for (const text of ['ada@exam', 'EXAMPLE', 'ord-1042', '1042', 'ada ord-1042', 'exam'])
            expect([text, await found(text)]).toEqual([text, [id]]);
          // No search text is a hexadecimal number, because the random id of an execution could match the text by
          // chance.
          for (const text of ['xam', 'ada zz', 'customer', '', '%', '_', "'"])
            expect([text, await found(text)]).toEqual([text, []]);
        });

        it('a search finds an execution by words of its error message', async () => {
          const execution = await insert({});
          await fail(execution, 'The refund was refused.');
          await ready();
          expect(await found('refund refused')).toEqual([execution.id]);
        });

        it('a search finds an execution by a prefix of its id, or of the last eight characters of its id', async () => {
          const { id } = await insert({});
          await ready();
          for (const text of [id, id.toUpperCase(), id.slice(0, 20), id.slice(-8), id.slice(-8, -2)])
            expect(await found(text)).toEqual([id]);
          expect(await found(`${id.slice(0, 8)}g`)).toEqual([]);
          expect(await found(`${id.slice(0, 9)}${id.slice(0, 9)}`)).toEqual([]);
        });

        it('a search never finds executions of projects that the search does not include', async () => {
          const { id } = await insert({ input: 'refund', projectId: OTHER });
          await ready();
          for (const text of ['refund', id, id.slice(-8)]) expect(await found(text)).toEqual([]);
          expect(await found('refund', [PROJECT, OTHER])).toEqual([id]);
          expect(await found('refund', [])).toEqual([]);
        });

        it('a search returns the newest matching executions first, up to a limit', async () => {
          const ids: string[] = [];
          for (let n = 0; n < 4; n += 1) ids.push((await insert({ input: `refund ${n}` })).id);
          await ready();
          expect(await found('refund')).toEqual(ids.toReversed());
          expect(await finder.find('refund', [PROJECT], 2)).toMatchObject({
            ids: ids.toReversed().slice(0, 2),
            isCut: true,
          });
        });
      });

    it('the search index includes the error of an execution that failed after it was indexed', async () => {
      const execution = await insert({ input: 'order' });
      await keep();
      expect(await found('order')).toEqual([execution.id]);
      await fail(execution, 'refused');
      await keep();
      expect(await found('refused order')).toEqual([execution.id]);
      expect(await index.lateRows(newId().replaceAll(/[0-9a-f]/g, '0'), 10)).toEqual([]);
    });

    it('an update of the search index removes the words of deleted executions', async () => {
      const gone = await insert({ input: 'gone' });
      const kept = await insert({ input: 'kept' });
      await keep();
      expect(await entries()).toBe(4);
      const remove = marked(kind.name, 'DELETE FROM executions WHERE id = ?');
      await store.dataSource.query(remove, [gone.id]);
      expect(await found('gone')).toEqual([]);
      await keeper.keep();
      expect(await entries()).toBe(2);
      expect(await found('kept')).toEqual([kept.id]);
    });

    it('a search reports that older matches exist if the first 100 compared executions exactly fill the result', async () => {
      await insertMany(101, 'refund');
      await keep();
      expect(await finder.find('refund', [PROJECT], 100)).toMatchObject({ isCut: true });
      expect(await finder.find('refund', [PROJECT], 101)).toMatchObject({ isCut: false });
    });

    it('a search with more than 1,000 matches returns the newest executions, and reports that the result is incomplete', async () => {
      await insertMany(1_010, 'frequent');
      const last = await insert({ input: 'frequently' });
      await keep();
      const all = await finder.find('freq', [PROJECT], 5);
      expect(all.ids[0]).toBe(last.id);
      expect(all).toMatchObject({ isCut: true, unsearched: null });
      expect(all.ids).toHaveLength(5);
      expect(await finder.find('freq frequently', [PROJECT])).toMatchObject({ ids: [last.id], isCut: false });
    });

    it('a search reports the range of executions that it did not search because the search index lags behind', async () => {
      await insertMany(1_010, 'waiting');
      const { ids, unsearched } = await finder.find('waiting', [PROJECT]);
      expect(ids).toHaveLength(1_000);
      expect(unsearched?.beforeId).toBe(ids.at(-1));
      await keep();
      expect((await finder.find('waiting', [PROJECT])).unsearched).toBeNull();
    });

    it('the search index contains each execution once when two processes update the index concurrently', async () => {
      await insertMany(450, 'twice');
      clock.advance(6 * MINUTE);
      const other = new WordIndexKeeper(index, clock);
      await Promise.all([keeper.keep(), other.keep()]);
      await keeper.keep();
      expect(await entries()).toBe(900);
    });

    async function insertMany(count: number, input: string): Promise<void> {
      const executions = Array.from({ length: count }, () => newExecution({ projectId: PROJECT, input }));
      await Promise.all(
        executions.map((execution) => store.executions.insert(execution, [queued(execution.input)], [])),
      );
    }
  });
