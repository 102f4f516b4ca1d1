import { randomBytes } from 'node:crypto';
import { postgresAnswers } from '../../tools/scripts/private-servers.mjs';
import { onServer, POSTGRES_URL } from './postgres-server.js';

const name = `workflow_test_template_${randomBytes(6).toString('hex')}`;

/**
 * Names the PostgreSQL database that `database.ts` copies for tests of the service. The first test that needs the
 * database creates it.
 */
export function setup(): void {
  process.env['TEST_TEMPLATE_DATABASE'] = name;
}

/** Drops the template database after the last test. Without a PostgreSQL server, no test has created this database. */
export async function teardown(): Promise<void> {
  if (await postgresAnswers(POSTGRES_URL)) await onServer(POSTGRES_URL, `DROP DATABASE IF EXISTS ${name}`);
}
