import { Column, Entity } from 'typeorm';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  checkShape,
  insertShape,
  type RowWrite,
  type Statement,
  type UnitOfWork,
  updateShape,
  type Write,
  type Writer,
} from '../../src/storage/index.js';
import { GeneratedPositionColumn, IdColumn, PositionColumn } from '../../src/database/index.js';
import { newId } from '../../src/platform/index.js';

/** The table of these tests. `position` numbers the rows in commit order. */
@Entity('counters')
export class CounterEntity {
  @GeneratedPositionColumn()
  position: number;

  @IdColumn({ unique: true })
  id: string;

  @PositionColumn()
  n: number;

  @Column({ type: 'text', nullable: true })
  note: string | null;
}

const INSERT = insertShape('counters', { id: 'uuid', n: 'bigint' }, { column: 'position', key: ['id'] });
const INSERT_NOTED = insertShape('counters', { id: 'uuid', n: 'bigint', note: 'text' });
const CHECK = checkShape('counters', { id: 'uuid', n: 'bigint' }, 't.n < 100');
const UPDATE = updateShape('counters', { n: 'bigint' }, { id: 'uuid', n: 'bigint' });

/** A writer under test, with a function that queries its database directly. */
export interface WriterHarness {
  readonly writer: Writer;
  query(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** Returns the placeholder of the database for the parameter with the given index, such as `$1` or `?`. */
  mark(index: number): string;
}

class GuardLost extends Error {}
class IdTaken extends Error {}

/** Tests that every implementation of `Writer` (`src/storage/writer/unit-of-work.ts`) must pass. */
export function writerContract(harness: () => WriterHarness): void {
  const insert = (id: string, n = 0): RowWrite => ({ shape: INSERT, row: [id, n] });
  const advance = (id: string, from: number, to: number): RowWrite => ({
    shape: UPDATE,
    row: [to, id, from],
    orFail: () => new GuardLost(`${id} is not at ${from}`),
  });
  const check = (id: string, n: number): RowWrite => ({
    shape: CHECK,
    row: [id, n],
    orFail: () => new GuardLost(`${id} is not at ${n}`),
  });
  const statement = (
    sql: string,
    parameters: readonly unknown[],
    rest: Partial<Statement> = {},
  ): Statement => {
    let index = 0;
    return { sql: sql.replaceAll('?', () => harness().mark(++index)), parameters, ...rest };
  };
  const insertStatement = (id: string): Statement =>
    statement('INSERT INTO counters (id, n) VALUES (?, 0)', [id], { onDuplicate: () => new IdTaken(id) });
  const counters = async (): Promise<ReadonlyMap<unknown, number>> =>
    new Map((await harness().query('SELECT id, n FROM counters')).map(({ id, n }) => [id, Number(n)]));
  const commit = (...writes: readonly Write[]): Promise<void> => harness().writer.commit({ writes });
  /** Submits all units of work at the same time, so that the writer commits them together. */
  const together = (...units: readonly UnitOfWork[]): Promise<readonly PromiseSettledResult<void>[]> =>
    Promise.allSettled(units.map((unit) => harness().writer.commit(unit)));
  let id: string;
  let other: string;

  beforeEach(() => {
    id = newId();
    other = newId();
  });

  describe('a unit of work', () => {
    it('a unit of work is committed before its promise resolves', async () => {
      await commit(insert(id, 7));
      expect((await counters()).get(id)).toBe(7);
    });

    it('the writer stores texts with special characters unchanged', async () => {
      const notes = ['{"a":"\\\\"}', 'a\n\t\u0001"\\,{}', 'NULL', '', 'größer 😀 \u2028', null];
      await commit(...notes.map((note): RowWrite => ({ shape: INSERT_NOTED, row: [newId(), 77, note] })));
      const rows = await harness().query('SELECT note FROM counters WHERE n = 77 ORDER BY position');
      expect(rows.map(({ note }) => note)).toEqual(notes);
    });

    it('the writer rolls back a whole unit of work if its last update matches no row', async () => {
      await expect(commit(insert(id), insertStatement(other), advance(newId(), 0, 1))).rejects.toThrow(
        GuardLost,
      );
      const after = await counters();
      expect([after.has(id), after.has(other)]).toEqual([false, false]);
    });

    it('if an update in a unit of work matches no row, the writer rejects the unit with the error that the update declares', async () => {
      await commit(insert(id));
      await commit(advance(id, 0, 1));
      await expect(commit(advance(id, 0, 2))).rejects.toThrow(`${id} is not at 0`);
      expect((await counters()).get(id)).toBe(1);
    });

    it('the writer rejects a unit of work if a row without changes does not have the value that the unit expects', async () => {
      const before = await counters();
      await commit(insert(id, 7));
      await commit(insert(other, 100));
      const [fine, fineToo, lost, past] = await together(
        { writes: [insert(newId()), check(id, 7)] },
        { writes: [check(id, 7), insert(newId())] },
        { writes: [insert(newId()), check(id, 8)] },
        { writes: [check(other, 100)] },
      );
      expect([fine, fineToo].map((result) => result?.status)).toEqual(['fulfilled', 'fulfilled']);
      expect([lost, past]).toMatchObject([
        { reason: new GuardLost(`${id} is not at 8`) },
        { status: 'rejected' },
      ]);
      const after = await counters();
      expect([after.size - before.size, after.get(id), after.get(other)]).toEqual([4, 7, 100]);
    });

    it('the writer rejects a unit of work if an SQL statement with `orFail` changes no row', async () => {
      const touch = (target: string): Statement =>
        statement('UPDATE counters SET n = 9 WHERE id = ?', [target], { orFail: () => new GuardLost() });
      await commit(insert(id));
      await commit(touch(id));
      await expect(commit(insert(other), touch(newId()))).rejects.toThrow(GuardLost);
      expect([...(await counters())]).toEqual(expect.arrayContaining([[id, 9]]));
      expect((await counters()).has(other)).toBe(false);
    });

    it('if a write violates a unique index, the writer rejects the unit of work with the error that the write declares', async () => {
      await commit(insertStatement(id));
      await expect(commit(insert(other), insertStatement(id))).rejects.toThrow(IdTaken);
      expect((await counters()).has(other)).toBe(false);
    });

    it('the writer rejects a unit of work after a database error, and commits the next unit', async () => {
      const [broken, fine] = await together(
        { writes: [insert(id), statement('INSERT INTO no_such_table (id) VALUES (?)', [id])] },
        { writes: [insert(other)] },
      );
      expect([broken?.status, fine?.status]).toEqual(['rejected', 'fulfilled']);
      const after = await counters();
      expect([after.has(id), after.has(other)]).toEqual([false, true]);
    });
  });

  describe('units of work that share a commit', () => {
    it('units of work are committed even if another unit in the same commit fails', async () => {
      const ids = Array.from({ length: 30 }, newId);
      const outcomes = await together(
        ...ids.map((own, index) => ({
          key: own,
          writes: [insert(own), ...(index % 10 === 5 ? [advance(newId(), 0, 1)] : [])],
        })),
      );
      const after = await counters();
      ids.forEach((own, index) => {
        expect(outcomes[index]?.status, String(index)).toBe(index % 10 === 5 ? 'rejected' : 'fulfilled');
        expect(after.has(own), String(index)).toBe(index % 10 !== 5);
      });
    });

    it('if several units of work in one commit fail, the writer rejects each of them with its own error', async () => {
      await commit(insertStatement(id));
      const outcomes = await together(
        { writes: [insertStatement(id)] },
        { writes: [advance(other, 0, 1)] },
        { writes: [insert(newId())] },
      );
      expect(
        outcomes.map((outcome) =>
          outcome.status === 'rejected' ? (outcome.reason as Error).constructor : null,
        ),
      ).toEqual([IdTaken, GuardLost, null]);
    });

    it('units of work with the same key are written in the order of submission, and each unit sees the previous writes', async () => {
      await commit(insert(id), insert(other));
      const steps = Array.from({ length: 20 }, (_, n) => n);
      const outcomes = await together(
        ...steps.flatMap((n) => [
          { key: id, writes: [advance(id, n, n + 1)] },
          { key: other, writes: [advance(other, n, n + 1)] },
        ]),
      );
      expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([]);
      expect((await counters()).get(id)).toBe(20);
      expect((await counters()).get(other)).toBe(20);
    });

    it('if several units of work expect the same old value of a row, the writer commits only the first unit', async () => {
      await commit(insert(id));
      const outcomes = await together(
        ...[1, 2, 3, 4, 5].map((n) => ({ key: id, writes: [advance(id, 0, n)] })),
      );
      expect(outcomes.map(({ status }) => status)).toEqual([
        'fulfilled',
        ...Array.from({ length: 4 }, () => 'rejected'),
      ]);
      expect((await counters()).get(id)).toBe(1);
    });

    it('the writer commits all of 1,500 concurrent units of work although one commit cannot contain them all', async () => {
      const ids = Array.from({ length: 1_500 }, newId);
      await Promise.all(ids.map((own) => commit(insert(own))));
      const after = await counters();
      expect(ids.filter((own) => !after.has(own))).toEqual([]);
    });
  });

  describe('the callback after a commit', () => {
    it('the callback `afterCommit` receives the row positions that the database generated for its unit of work', async () => {
      const positions: number[] = [];
      const ids = Array.from({ length: 50 }, newId);
      await together(
        ...ids.map((own, index) => ({
          writes:
            index % 2 === 0
              ? [insert(own)]
              : [statement('UPDATE counters SET n = 1 WHERE id = ?', [own]), insert(own)],
          afterCommit: (generated: readonly (number | null)[]) =>
            positions.push(generated[index % 2] ?? Number.NaN),
        })),
      );
      const rows = await harness().query('SELECT id, position FROM counters');
      const stored = new Map(rows.map((row) => [row['id'], Number(row['position'])]));
      expect(positions).toEqual(ids.map((own) => stored.get(own)));
      expect(positions).toEqual(positions.toSorted((a, b) => a - b));
    });

    it('the callback `afterCommit` runs before the promise of its unit of work resolves, and only after a successful commit', async () => {
      const order: string[] = [];
      const unit = (name: string, ...writes: readonly Write[]): Promise<void> =>
        harness()
          .writer.commit({ key: id, writes, afterCommit: () => order.push(`after ${name}`) })
          .then(
            () => void order.push(name),
            () => void order.push(`no ${name}`),
          );
      await Promise.all([
        unit('first', insert(id)),
        unit('second', advance(id, 5, 6)),
        unit('third', advance(id, 0, 1)),
      ]);
      expect(order.indexOf('after first')).toBeLessThan(order.indexOf('first'));
      expect(order.indexOf('after first')).toBeLessThan(order.indexOf('after third'));
      expect(order).toEqual(expect.arrayContaining(['first', 'no second', 'third']));
      expect(order).not.toContain('after second');
    });

    it('the writer does not write a unit of work a second time if the callback `afterCommit` throws', async () => {
      const outcomes = await together(
        {
          writes: [insert(id), statement('UPDATE counters SET n = n + 1 WHERE id = ?', [other])],
          afterCommit: () => {
            throw new Error('an error of the callback');
          },
        },
        { writes: [insertStatement(other)] },
      );
      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
      const rows = await harness().query(`SELECT id FROM counters WHERE id IN ('${id}', '${other}')`);
      expect(rows).toHaveLength(2);
    });

    it('the callback `afterCommit` can submit the next unit of work', async () => {
      const following = new Promise<void>((resolve, reject) => {
        void harness().writer.commit({
          writes: [insert(id)],
          afterCommit: () => void commit(insert(other)).then(resolve, reject),
        });
      });
      await following;
      expect((await counters()).has(other)).toBe(true);
    });
  });

  describe('drain', () => {
    it('the method `drain` of the writer waits for every unit of work that was submitted', async () => {
      let settled = 0;
      const ids = Array.from({ length: 40 }, newId);
      for (const own of ids) void commit(insert(own)).then(() => (settled += 1));
      void commit(advance(newId(), 0, 1)).catch(() => (settled += 1));
      await harness().writer.drain();
      await new Promise((resolve) => setImmediate(resolve));
      expect(settled).toBe(41);
    });

    it('the method `drain` of the writer resolves if no unit of work is pending', async () => {
      await harness().writer.drain();
      await commit(insert(id));
      await harness().writer.drain();
      expect((await counters()).has(id)).toBe(true);
    });
  });
}
