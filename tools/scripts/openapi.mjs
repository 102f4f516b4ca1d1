/**
 * `node tools/scripts/openapi.mjs <file>`: writes the OpenAPI document of the built service to a file. Runs the service
 * on a temporary database.
 */
import 'reflect-metadata';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createApplication } from '../../dist/src/application.js';
import { readSettings } from '../../dist/src/settings/index.js';

const file = process.argv[2];
if (file === undefined) {
  process.stderr.write('Usage: node tools/scripts/openapi.mjs <file>\n');
  process.exit(2);
}
const folder = mkdtempSync(join(tmpdir(), 'workflow-service-openapi-'));
const app = await createApplication(
  readSettings({ DATA_DIR: folder, LOG_LEVEL: 'error', TEST_CLOCK: 'true' }),
);
try {
  await app.listen(0, '127.0.0.1');
  const response = await fetch(new URL('/openapi.json', await app.getUrl()));
  if (!response.ok) throw new Error(`/openapi.json returned ${response.status}.`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(await response.json(), null, 2)}\n`);
} finally {
  await app.close();
  rmSync(folder, { recursive: true, force: true });
}
