import { DataSource, EntitySchema, type Repository } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deleteStatement, insertStatement, updateStatement } from './builder-statement.ts';

interface Thing {
  readonly id: string;
  readonly name: string | null;
}

const THINGS = new EntitySchema<Thing>({
  name: 'Thing',
  tableName: 'things',
  columns: { id: { type: 'text', primary: true }, name: { type: 'text', nullable: true } },
});

let dataSource: DataSource;
let things: Repository<Thing>;
beforeAll(async () => {
  dataSource = new DataSource({ type: 'better-sqlite3', database: ':memory:', entities: [THINGS] });
  await dataSource.initialize();
  things = dataSource.getRepository(THINGS);
});
afterAll(() => dataSource.destroy());

describe('statements of query builders', () => {
  it('an insert statement contains the values of the row', () => {
    expect(insertStatement(things, { id: 'a', name: 'b' })).toEqual({
      sql: 'INSERT INTO "things"("id", "name") VALUES (?, ?)',
      parameters: ['a', 'b'],
    });
  });

  it('an update statement selects rows whose property is null by the value null', () => {
    expect(updateStatement(things, { name: 'b' }, { id: 'a', name: null })).toEqual({
      sql: 'UPDATE "things" SET "name" = ? WHERE "id" = ? AND "name" IS NULL',
      parameters: ['b', 'a'],
    });
  });

  it('a delete statement selects rows by an SQL condition', () => {
    expect(deleteStatement(things, ['name < :before', { before: 'b' }])).toEqual({
      sql: 'DELETE FROM "things" WHERE "name" < ?',
      parameters: ['b'],
    });
  });

  it('an update statement that would change every row is refused', () => {
    expect(() => updateStatement(things, { name: 'b' }, {})).toThrow('without a condition');
  });

  it('a delete statement that would delete every row is refused', () => {
    expect(() => deleteStatement(things, {})).toThrow('without a condition');
  });
});
