/**
 * `node tools/scripts/openapi-compatible.ts <document>`: fails if the current API would break clients of an earlier
 * release. docs/openapi contains the OpenAPI document of each release, and accepted-differences.json lists intended
 * differences.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { breakingDifferences } from './openapi-differences.ts';

interface Accepted {
  readonly difference: string;
  readonly reason: string;
}

const RELEASES = join(import.meta.dirname, '..', '..', 'docs', 'openapi');
const RELEASE = /^\d+\.\d+\.\d+\.json$/;

const [, , file] = process.argv;
if (file === undefined) {
  process.stderr.write('Usage: node tools/scripts/openapi-compatible.ts <document>\n');
  process.exit(2);
}
const present = read(file) as Readonly<Record<string, unknown>>;
const accepted = new Set(
  (read(join(RELEASES, 'accepted-differences.json')) as readonly Accepted[]).map(
    ({ difference }) => difference,
  ),
);
for (const release of readdirSync(RELEASES).filter((name) => RELEASE.test(name))) {
  const before = read(join(RELEASES, release)) as Readonly<Record<string, unknown>>;
  const lines = breakingDifferences(before, present).filter((line) => !accepted.has(line));
  process.stdout.write(`${release}: ${lines.length} breaking differences\n`);
  for (const line of lines) process.stderr.write(`ERROR: ${line}\n`);
  if (lines.length > 0) process.exitCode = 1;
}

function read(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}
