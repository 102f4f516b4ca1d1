import type { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DatabaseSettings } from '../../src/settings/index.js';
import { dataSourceOptions, openDataSource } from '../../src/database/index.js';
import { ENTITIES, MIGRATIONS } from '../../src/schema.js';
import { databaseKinds, type TestDatabase } from '../support/database.js';

/** Tables that TypeORM or the database creates for itself. */
const OWN_TABLES = ['migrations', 'sqlite_sequence', 'typeorm_metadata'];

const SCHEMA: Readonly<Record<DatabaseSettings['dialect'], string>> = {
  sqlite: `SELECT type || ' ' || name AS name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY 1`,
  postgres: `
    SELECT 'column ' || table_name || '.' || column_name AS name,
      data_type || coalesce('(' || datetime_precision || ')', '') || ' ' || is_nullable || ' ' || coalesce(column_default, '') AS sql
    FROM information_schema.columns WHERE table_schema = 'public'
    UNION ALL SELECT 'index ' || indexname, indexdef FROM pg_indexes
      WHERE schemaname = 'public' AND tablename <> 'migrations'
    UNION ALL SELECT 'constraint ' || conname, pg_get_constraintdef(oid) FROM pg_constraint
      WHERE connamespace = 'public'::regnamespace AND conrelid <> 'migrations'::regclass
    ORDER BY 1`,
};

for (const kind of await databaseKinds())
  describe(`the schema of ${kind.name}`, () => {
    let database: TestDatabase;
    let dataSource: DataSource;

    beforeAll(async () => {
      database = await kind.createEmpty();
      dataSource = await openDataSource(dataSourceOptions(database.settings, ENTITIES, MIGRATIONS), false);
    });

    afterAll(async () => {
      await dataSource.destroy();
      await database.drop();
    });

    const schema = async (): Promise<readonly { readonly name: string; readonly sql: string }[]> =>
      (await dataSource.query<{ name: string; sql: string }[]>(SCHEMA[kind.name])).filter(
        ({ name }) => !OWN_TABLES.some((own) => name.includes(own)),
      );
    const missing = async (): Promise<readonly string[]> =>
      (await dataSource.driver.createSchemaBuilder().log()).upQueries.map(({ query }) => query);

    it('the migrations create every table and column of the TypeORM entities', async () => {
      await dataSource.runMigrations();
      expect(await missing()).toEqual([]);
    });

    it('reverting all migrations removes the schema, and running them again restores an identical schema', async () => {
      const first = await schema();
      expect(first.length).toBeGreaterThan(ENTITIES.length);
      for (const _ of MIGRATIONS) await dataSource.undoLastMigration();
      expect(await schema()).toEqual([]);
      await dataSource.runMigrations();
      expect(await schema()).toEqual(first);
      expect(await missing()).toEqual([]);
    });

    it('a second run of the migrations does not change the schema', async () => {
      const before = await schema();
      expect(await dataSource.runMigrations()).toEqual([]);
      expect(await schema()).toEqual(before);
    });
  });
