import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { postgresAnswers } from '../../tools/scripts/private-servers.mjs';
import { onServer, POSTGRES_URL } from './postgres-server.js';

const name = `workflow_test_template_${randomBytes(6).toString('hex')}`;
const directory = join(tmpdir(), name);

/**
 * Chooses the names of two templates: the PostgreSQL database that `database.ts` copies, and the SQLite data directory
 * that `first-key.ts` copies. The first test that needs a template creates it.
 */
export function setup(): void {
  process.env['TEST_TEMPLATE_DATABASE'] = name;
  process.env['TEST_TEMPLATE_DATA'] = directory;
}

/** Deletes the templates after the last test. If no PostgreSQL server responds, no PostgreSQL template exists. */
export async function teardown(): Promise<void> {
  rmSync(directory, { recursive: true, force: true });
  if (await postgresAnswers(POSTGRES_URL)) await onServer(POSTGRES_URL, `DROP DATABASE IF EXISTS ${name}`);
}
