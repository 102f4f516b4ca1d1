/**
 * `node tools/scripts/client.mjs [--check]`: generates the REST client from the OpenAPI document. With `--check`,
 * writes nothing, and fails if the files of the client are outdated.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import { ROOT } from './sources.mjs';

const TARGET = join(ROOT, 'clients/typescript/src/generated');
const folder = mkdtempSync(join(tmpdir(), 'workflow-service-client-'));
try {
  const document = join(folder, 'openapi.json');
  const made = join(folder, 'generated');
  execFileSync(process.execPath, [join(ROOT, 'tools/scripts/openapi.mjs'), document], { stdio: 'inherit' });
  await createClient({
    input: document,
    // The deprecated `/v0` routes are omitted, because they would add duplicate functions to the client.
    parser: { filters: { deprecated: false } },
    output: { path: made, importFileExtension: '.ts' },
    plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
    logs: { level: 'silent' },
  });
  if (process.argv.includes('--check')) check(made);
  else {
    rmSync(TARGET, { recursive: true, force: true });
    cpSync(made, TARGET, { recursive: true });
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function check(made) {
  const wanted = contents(made);
  const present = contents(TARGET);
  const differing = [...new Set([...wanted.keys(), ...present.keys()])].filter(
    (file) => wanted.get(file) !== present.get(file),
  );
  if (differing.length === 0) return;
  process.stderr.write(
    `The generated client does not match the current API (${differing.join(', ')}). Run "npm run client" and commit the changes.\n`,
  );
  process.exitCode = 1;
}

/**
 * Reads all files in a folder.
 * @returns the content of each file, by its path relative to the folder
 */
function contents(root) {
  const files = new Map();
  let entries = [];
  try {
    entries = readdirSync(root, { recursive: true, withFileTypes: true });
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    files.set(relative(root, path), readFileSync(path, 'utf8'));
  }
  return files;
}
