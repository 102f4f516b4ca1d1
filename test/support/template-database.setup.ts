import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { POSTGRES_URL } from './postgres-url.js';

const name = `workflow_test_template_${randomBytes(6).toString('hex')}`;

/**
 * Names the PostgreSQL database that `database.ts` copies for tests of the service. The first test that needs the
 * database creates it.
 */
export function setup(): void {
  process.env['TEST_TEMPLATE_DATABASE'] = name;
}

/** Drops the database after the last test. */
export async function teardown(): Promise<void> {
  const client = new Client({ connectionString: POSTGRES_URL });
  try {
    await client.connect();
  } catch {
    // Without a server, no test has created the database.
    return;
  }
  await client.query(`DROP DATABASE IF EXISTS ${name}`);
  await client.end();
}
