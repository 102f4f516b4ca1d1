import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MigrationsRepository } from '../../src/cli/migrations.repository.js';
import { dataSourceOptions, openDataSource, withSchemaLocked } from '../../src/database/index.js';
import { readSettings } from '../../src/settings/index.js';
import { ENTITIES, MIGRATIONS } from '../../src/schema.js';
import { databaseKinds, databaseUrl, type TestDatabase } from '../support/database.js';
import { TestService } from '../support/service.js';
import { SpawnedProgram } from '../support/spawned-program.js';

const NAMES = MIGRATIONS.map(({ name }) => name);
const READY = /http:\/\/127\.0\.0\.1:\d+/;

afterAll(() => SpawnedProgram.killAll());

describe.each(await databaseKinds())(
  'a new $name database that several processes migrate concurrently',
  ({ name, createEmpty }) => {
    let database: TestDatabase;

    beforeEach(async () => {
      database = await createEmpty();
    });
    afterEach(() => database.drop());

    const open = (migrate: boolean) =>
      openDataSource(dataSourceOptions(database.settings, ENTITIES, MIGRATIONS), migrate);

    async function applied(): Promise<readonly string[]> {
      const dataSource = await open(false);
      const rows = await dataSource.query<{ name: string }[]>('SELECT name FROM migrations ORDER BY id');
      await dataSource.destroy();
      return rows.map((row) => row.name);
    }

    const serve = (): SpawnedProgram =>
      new SpawnedProgram('dist/src/main.js', '/', {
        DATABASE_URL: databaseUrl(database.settings),
        PORT: '0',
        LOG_LEVEL: 'warn',
      });

    it('ten processes that migrate concurrently apply each migration once', async () => {
      const opened = await Promise.all(Array.from({ length: 10 }, () => open(true)));
      await Promise.all(opened.map((dataSource) => dataSource.destroy()));
      expect(await applied()).toEqual(NAMES);
    });

    it('a second process opens the database only after the first process has migrated it', async () => {
      const first = await open(false);
      let left = false;
      let second: Promise<unknown> = Promise.resolve();
      await withSchemaLocked(first, async (steps) => {
        // The second process starts only on PostgreSQL. The SQLite driver blocks the thread while the driver waits, so
        // two connections of one process would deadlock.
        if (name === 'postgres')
          second = open(true).then((dataSource) => (expect(left).toBe(true), dataSource.destroy()));
        await steps.up();
        left = true;
      });
      await second;
      expect(await applied()).toEqual(NAMES);
      await first.destroy();
    });

    it('a migration cannot be reverted while a service uses the database', async () => {
      const service = await TestService.start({ database: database.settings });
      const migrations = await MigrationsRepository.open(
        readSettings({ DATABASE_URL: databaseUrl(database.settings), NODE_ENV: 'test' }),
      );
      await expect(migrations.down()).rejects.toThrow(`process ${process.pid}`);
      expect(await applied()).toEqual(NAMES);
      await service.stop();
      expect(await migrations.down()).toBe(NAMES.at(-1));
      await migrations.close();
    });

    it.each(name === 'postgres' ? [3] : [])(
      '%i processes that start at the same time on a new PostgreSQL database all become ready',
      async (length) => {
        const services = Array.from({ length }, serve);
        await Promise.all(services.map((service) => service.prints(READY)));
        expect(await applied()).toEqual(NAMES);
        for (const service of services) service.signal('SIGTERM');
        expect(await Promise.all(services.map(({ ended }) => ended))).toEqual(
          services.map(() => ({ code: 0, signal: null })),
        );
      },
      120_000,
    );

    it.each(name === 'sqlite' ? [3] : [])(
      'one of %i processes starts on a new SQLite database, and the others report which process uses the database',
      async (length) => {
        const services = Array.from({ length }, serve);
        const served = await Promise.all(
          services.map((service) =>
            service.prints(READY).then(
              () => true,
              () => false,
            ),
          ),
        );
        const refused = services.filter((_, index) => served[index] === false);
        expect(refused.map(({ err }) => err)).toEqual(
          refused.map(() =>
            expect.stringMatching(
              /^Another Workflow Service \(process \d+\) is using .+ Waiting up to 30 seconds .+\nAnother Workflow Service \(process \d+\) is using this SQLite database\./,
            ),
          ),
        );
        expect(refused).toHaveLength(length - 1);
        expect(await applied()).toEqual(NAMES);
        const migrate = new SpawnedProgram(
          'dist/src/cli/main.js',
          '/',
          { DATABASE_URL: databaseUrl(database.settings) },
          ['migrate', 'up'],
        );
        expect(await migrate.ended).toMatchObject({ code: 0 });
        expect([migrate.out, migrate.err]).toEqual(['The schema is up to date.\n', '']);
      },
      120_000,
    );
  },
);
