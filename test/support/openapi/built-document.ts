import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, rename } from 'node:fs/promises';
import { promisify } from 'node:util';
import { exclusively } from '../../../tools/scripts/exclusively.mjs';

/** File for the document, which `templates.setup.ts` chooses and deletes after the last test. */
const FILE = process.env['TEST_OPENAPI_DOCUMENT'] ?? '';

/** Returns the OpenAPI document of the built service, as JSON. The first test that needs the document creates it. */
export async function builtDocument(): Promise<string> {
  if (!existsSync(FILE)) await exclusively(`${FILE}.lock`, create, () => undefined);
  return readFile(FILE, 'utf8');
}

async function create(): Promise<void> {
  if (existsSync(FILE)) return;
  // The file gets its name only when it is complete, because other test processes read it without the lock.
  const unfinished = `${FILE}.unfinished`;
  await promisify(execFile)(process.execPath, ['tools/scripts/openapi.mjs', unfinished]);
  await rename(unfinished, FILE);
}
