import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readBuildInfo } from './build-info.js';

const COMMIT = '9fceb02d0ae598e95dc970b74767f19372d61af8';
let root: string;
let file: string;

function write(path: string, text: string): void {
  mkdirSync(join(root, path, '..'), { recursive: true });
  writeFileSync(join(root, path), text);
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'build-info-'));
  write('package.json', '{"name":"some-service","version":"2.3.4"}');
  write('dist/src/version/code.js', '');
  utimesSync(join(root, 'dist/src/version/code.js'), 1_700_000_000, 1_700_000_000);
  file = pathToFileURL(join(root, 'dist/src/version/code.js')).href;
});

afterEach(() => rmSync(root, { recursive: true }));

it('the commit and the build time come from environment variables if these variables are valid', () => {
  write('.git/HEAD', 'f'.repeat(40));
  expect(readBuildInfo(file, { COMMIT_SHA: COMMIT, BUILT_AT: '2026-11-21T10:00:00Z' })).toEqual({
    name: 'some-service',
    version: '2.3.4',
    commit: COMMIT,
    builtAt: '2026-11-21T10:00:00.000Z',
  });
});

it('the commit is read from a detached head, a branch file, or packed refs', () => {
  write('.git/HEAD', `${COMMIT}\n`);
  expect(readBuildInfo(file, {}).commit).toBe(COMMIT);
  write('.git/HEAD', 'ref: refs/heads/main\n');
  expect(readBuildInfo(file, {}).commit).toBe('unknown');
  write(
    '.git/packed-refs',
    `# pack-refs\n${'a'.repeat(40)} refs/heads/other\n${'b'.repeat(40)} refs/heads/main\n`,
  );
  expect(readBuildInfo(file, {}).commit).toBe('b'.repeat(40));
  write('.git/refs/heads/main', `${COMMIT}\n`);
  expect(readBuildInfo(file, {}).commit).toBe(COMMIT);
});

it('the commit is unknown if the environment variable is invalid and no repository exists', () => {
  expect(readBuildInfo(file, { COMMIT_SHA: 'latest', BUILT_AT: 'today' })).toMatchObject({
    commit: 'unknown',
    builtAt: '2023-11-14T22:13:20.000Z',
  });
});
