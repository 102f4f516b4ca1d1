import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { POSITION_FUNCTIONS } from '../../migrations/1795651200000-journal-order.js';
import type { DatabaseSettings } from '../../src/settings/index.js';
import { dataSourceOptions, type EntityClass, openDataSource } from '../../src/database/index.js';

/** A database that is used by a single test or test file. */
export interface TestDatabase {
  readonly settings: DatabaseSettings;
  readonly drop: () => Promise<void>;
}

/** A kind of database (SQLite or PostgreSQL) on which tests run. */
export interface DatabaseKind {
  readonly name: DatabaseSettings['dialect'];
  /**
   * Creates a database.
   * @param entities creates the tables of these entities; without entities, the database stays empty for the migrations
   * of the service
   */
  readonly create: (entities?: readonly EntityClass[]) => Promise<TestDatabase>;
}

const POSTGRES_URL = process.env['TEST_POSTGRES_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres';

/** Maximum time in milliseconds until a PostgreSQL server must accept a connection. Otherwise it counts as missing. */
const PROBE_MS = 10_000;

/**
 * Returns the databases to test on: always SQLite, and PostgreSQL if a server responds at `TEST_POSTGRES_URL` or
 * locally.
 */
export async function databaseKinds(): Promise<readonly DatabaseKind[]> {
  const sqlite: DatabaseKind = { name: 'sqlite', create: createSqlite };
  return (await postgresAnswers()) ? [sqlite, postgresOn(POSTGRES_URL)] : [sqlite];
}

/** Databases on the PostgreSQL server at this URL, such as one that a test starts with its own options. */
export function postgresOn(serverUrl: string): DatabaseKind {
  return { name: 'postgres', create: (entities) => createPostgres(serverUrl, entities) };
}

/** Returns the `DATABASE_URL` of a test database, for a service in a separate process. */
export function databaseUrl(settings: DatabaseSettings): string {
  return settings.dialect === 'postgres' ? settings.url : `sqlite://${settings.path}`;
}

async function createSqlite(entities: readonly EntityClass[] = []): Promise<TestDatabase> {
  const directory = await mkdtemp(join(tmpdir(), 'workflow-service-'));
  const settings: DatabaseSettings = { dialect: 'sqlite', path: join(directory, 'test.sqlite') };
  await makeSchema(settings, entities);
  return { settings, drop: () => rm(directory, { recursive: true, force: true }) };
}

async function createPostgres(
  serverUrl: string,
  entities: readonly EntityClass[] = [],
): Promise<TestDatabase> {
  const name = `workflow_test_${randomBytes(6).toString('hex')}`;
  await onServer(serverUrl, `CREATE DATABASE ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const settings: DatabaseSettings = { dialect: 'postgres', url: url.toString() };
  const drop = () => onServer(serverUrl, `DROP DATABASE ${name} WITH (FORCE)`);
  try {
    await makeSchema(settings, entities);
  } catch (error) {
    await drop();
    throw error;
  }
  return { settings, drop };
}

async function makeSchema(settings: DatabaseSettings, entities: readonly EntityClass[]): Promise<void> {
  if (entities.length === 0) return;
  const dataSource = await openDataSource(dataSourceOptions(settings, entities, []), false);
  // `synchronize` of TypeORM creates tables but no SQL functions, so the functions are created here.
  if (settings.dialect === 'postgres')
    for (const statement of POSITION_FUNCTIONS) await dataSource.query(statement);
  await dataSource.synchronize();
  await dataSource.destroy();
}

async function onServer(serverUrl: string, sql: string, connectionTimeoutMillis = 0): Promise<void> {
  const client = new Client({ connectionString: serverUrl, connectionTimeoutMillis });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
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
