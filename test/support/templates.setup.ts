import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { postgresAnswers } from '../../tools/scripts/private-servers.mjs';
import { onServer, POSTGRES_URL } from './postgres-server.js';

const name = `workflow_test_template_${randomBytes(6).toString('hex')}`;
const directory = join(tmpdir(), name);
const database = `${directory}.sqlite`;
const document = `${directory}.openapi.json`;

/**
 * Chooses the names of the templates. The first test that needs a template creates it. `database.ts` copies the
 * PostgreSQL database and the SQLite file, and `first-key.ts` copies the SQLite data directory. `checked-fetch.ts`
 * compares responses with the OpenAPI document.
 */
export function setup(): void {
  process.env['TEST_TEMPLATE_DATABASE'] = name;
  process.env['TEST_TEMPLATE_SQLITE'] = database;
  process.env['TEST_TEMPLATE_DATA'] = directory;
  process.env['TEST_OPENAPI_DOCUMENT'] = document;
}

/** Deletes the templates after the last test. If no PostgreSQL server responds, no PostgreSQL template exists. */
export async function teardown(): Promise<void> {
  for (const path of [directory, database, document]) rmSync(path, { recursive: true, force: true });
  if (await postgresAnswers(POSTGRES_URL)) await onServer(POSTGRES_URL, `DROP DATABASE IF EXISTS ${name}`);
}
