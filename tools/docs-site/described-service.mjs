/**
 * `node tools/docs-site/described-service.mjs <file>`: writes the descriptions of the API and of the node types as
 * JSON. Runs the built service on a temporary database.
 */
import 'reflect-metadata';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApplication } from '../../dist/src/application.js';
import { FirstAdminService } from '../../dist/src/auth/index.js';
import { readSettings } from '../../dist/src/settings/index.js';

const file = process.argv[2];
if (file === undefined) {
  process.stderr.write('Usage: node tools/docs-site/described-service.mjs <file>\n');
  process.exit(2);
}
const folder = mkdtempSync(join(tmpdir(), 'workflow-service-docs-'));
const app = await createApplication(
  readSettings({ DATA_DIR: folder, LOG_LEVEL: 'error', TEST_CLOCK: 'true', DEFAULT_PLAN: 'enterprise' }),
);
try {
  await app.listen(0, '127.0.0.1');
  const { secret } = await app
    .get(FirstAdminService, { strict: false })
    .create({ email: 'docs@example.com' });
  const read = async (path) => {
    const response = await fetch(new URL(path, await app.getUrl()), {
      headers: { authorization: `Bearer ${secret}` },
    });
    if (!response.ok) throw new Error(`${path} returned ${response.status}.`);
    return response.json();
  };
  const openapi = await read('/openapi.json');
  const { data } = await read('/v1/node-types?limit=100');
  writeFileSync(file, JSON.stringify({ openapi, node_types: data }));
} finally {
  await app.close();
  rmSync(folder, { recursive: true, force: true });
}
