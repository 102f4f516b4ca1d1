import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { POSITION_FUNCTIONS } from '../../migrations/1795651200000-journal-order.js';
import { JOURNAL_POSITION } from '../../migrations/1796083202000-journal-position-cost.js';
import { MIGRATIONS } from '../../migrations/index.js';
import type { DatabaseSettings } from '../../src/settings/index.js';
import { dataSourceOptions, type EntityClass, openDataSource } from '../../src/database/index.js';
import { onServer, POSTGRES_URL, withClient } from './postgres-server.js';

/** A database that is used by a single test or test file. */
export interface TestDatabase {
  readonly settings: DatabaseSettings;
  readonly drop: () => Promise<void>;
}

/** A kind of database (SQLite or PostgreSQL) on which tests run. */
export interface DatabaseKind {
  readonly name: DatabaseSettings['dialect'];
  /**
   * Creates a database for the service or, if `entities` are given, a database with only the tables of these entities.
   * A database for the service is a copy that already contains all migrations, because the copy takes at most a quarter
   * of their time.
   */
  readonly create: (entities?: readonly EntityClass[]) => Promise<TestDatabase>;
  /** Creates a database without tables. */
  readonly createEmpty: () => Promise<TestDatabase>;
}

/** Maximum time in milliseconds until a PostgreSQL server must accept a connection. Otherwise it counts as missing. */
const PROBE_MS = 10_000;

/** Name of the PostgreSQL database with all migrations, which `templates.setup.ts` drops after the test run. */
const TEMPLATE = process.env['TEST_TEMPLATE_DATABASE'] ?? '';
/** SQLite file with all migrations, which `templates.setup.ts` deletes after the test run. */
const SQLITE_TEMPLATE = process.env['TEST_TEMPLATE_SQLITE'] ?? '';
/** PostgreSQL error code of an unknown database. */
const UNKNOWN_DATABASE = '3D000';

/**
 * Returns the databases to test on: always SQLite, and PostgreSQL if a server responds at `TEST_POSTGRES_URL` or
 * locally.
 */
export async function databaseKinds(): Promise<readonly DatabaseKind[]> {
  const sqlite: DatabaseKind = {
    name: 'sqlite',
    create: (entities) =>
      createSqlite((path) =>
        entities === undefined ? copySqlite(path) : makeSchema({ dialect: 'sqlite', path }, entities),
      ),
    createEmpty: () => createSqlite(async () => undefined),
  };
  if (!(await postgresAnswers())) return [sqlite];
  const postgres: DatabaseKind = {
    ...postgresOn(POSTGRES_URL),
    create: (entities) =>
      createPostgres(POSTGRES_URL, entities === undefined ? copyTemplate : createWith(entities)),
  };
  return [sqlite, postgres];
}

/** Databases on the PostgreSQL server at this URL, such as one that a test starts with its own options. */
export function postgresOn(serverUrl: string): DatabaseKind {
  const create = (entities: readonly EntityClass[] = []) => createPostgres(serverUrl, createWith(entities));
  return { name: 'postgres', create, createEmpty: create };
}

/** Returns the `DATABASE_URL` of a test database, for a service in a separate process. */
export function databaseUrl(settings: DatabaseSettings): string {
  return settings.dialect === 'postgres' ? settings.url : `sqlite://${settings.path}`;
}

/** Creates a SQLite file with all migrations as a copy of the template. */
export async function copySqlite(path: string): Promise<void> {
  if (!existsSync(SQLITE_TEMPLATE)) {
    // The template gets its name only when it is complete, because several test processes may create it.
    const unfinished = `${SQLITE_TEMPLATE}.${process.pid}`;
    await migrate({ dialect: 'sqlite', path: unfinished });
    await rename(unfinished, SQLITE_TEMPLATE);
  }
  await copyFile(SQLITE_TEMPLATE, path);
}

async function createSqlite(create: (path: string) => Promise<void>): Promise<TestDatabase> {
  const directory = await mkdtemp(join(tmpdir(), 'workflow-service-'));
  const path = join(directory, 'test.sqlite');
  await create(path);
  return {
    settings: { dialect: 'sqlite', path },
    drop: () => rm(directory, { recursive: true, force: true }),
  };
}

/** Function that creates the database `name` on a server. */
type Creation = (serverUrl: string, name: string) => Promise<void>;

async function createPostgres(serverUrl: string, create: Creation): Promise<TestDatabase> {
  const name = newName();
  const drop = () => onServer(serverUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  try {
    await create(serverUrl, name);
  } catch (error) {
    await drop();
    throw error;
  }
  return { settings: settingsOf(serverUrl, name), drop };
}

function createWith(entities: readonly EntityClass[]): Creation {
  return async (serverUrl, name) => {
    await onServer(serverUrl, `CREATE DATABASE ${name}`);
    await makeSchema(settingsOf(serverUrl, name), entities);
  };
}

async function copyTemplate(serverUrl: string, name: string): Promise<void> {
  const copy = () => onServer(serverUrl, `CREATE DATABASE ${name} TEMPLATE ${TEMPLATE}`);
  try {
    await copy();
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== UNKNOWN_DATABASE) throw error;
    await createTemplate(serverUrl);
    await copy();
  }
}

/** Creates the template database unless another test process has created it. */
async function createTemplate(serverUrl: string): Promise<void> {
  await withClient(serverUrl, async (client) => {
    await client.query('SELECT pg_advisory_lock(hashtext($1))', [TEMPLATE]);
    const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [TEMPLATE]);
    if (found.rowCount !== 0) return;
    const name = newName();
    await client.query(`CREATE DATABASE ${name}`);
    await migrate(settingsOf(serverUrl, name));
    // PostgreSQL cannot copy a database with open connections. So the database gets the name of the template
    // only when it is complete and its connections are closed.
    await client.query(`ALTER DATABASE ${name} RENAME TO ${TEMPLATE}`);
  });
}

async function migrate(settings: DatabaseSettings): Promise<void> {
  const dataSource = await openDataSource(dataSourceOptions(settings, [], MIGRATIONS), true);
  await dataSource.destroy();
}

function newName(): string {
  return `workflow_test_${randomBytes(6).toString('hex')}`;
}

function settingsOf(serverUrl: string, name: string): DatabaseSettings {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return { dialect: 'postgres', url: url.toString() };
}

async function makeSchema(settings: DatabaseSettings, entities: readonly EntityClass[]): Promise<void> {
  if (entities.length === 0) return;
  const dataSource = await openDataSource(dataSourceOptions(settings, entities, []), false);
  // `synchronize` of TypeORM creates tables but no SQL functions, so the functions are created here.
  if (settings.dialect === 'postgres')
    for (const statement of [...POSITION_FUNCTIONS, JOURNAL_POSITION]) await dataSource.query(statement);
  await dataSource.synchronize();
  await dataSource.destroy();
}

async function postgresAnswers(): Promise<boolean> {
  try {
    await onServer(POSTGRES_URL, 'SELECT 1', PROBE_MS);
    return true;
  } catch (error) {
    // If `TEST_POSTGRES_URL` is set, the tests fail without that server. Otherwise the tests on PostgreSQL are skipped.
    if (process.env['TEST_POSTGRES_URL'] !== undefined) throw error;
    return false;
  }
}
