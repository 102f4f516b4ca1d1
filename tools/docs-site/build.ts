/**
 * `npm run docs [-- <folder>]`: builds the docs site into a folder, by default docs/dist. The service must be built
 * first, because the build runs it to get the description of its API.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { compressFiles } from '../../dashboard/build/precompressed.ts';
import { readDescribedService, stagePages } from './staging.ts';

const ROOT = join(import.meta.dirname, '..', '..');
/** Compression level of Brotli. The highest level, 11, would double the build time. */
const BROTLI_QUALITY = 9;
const out = resolve(process.argv[2] ?? join(ROOT, 'docs', 'dist'));
const temporary = mkdtempSync(join(tmpdir(), 'workflow-service-docs-'));
try {
  const description = join(temporary, 'service.json');
  run(join(import.meta.dirname, 'described-service.mjs'), description);
  stagePages(ROOT, join(import.meta.dirname, 'pages'), readDescribedService(description));
  // VitePress runs as a separate process. An import would add its browser types to the type check of every file in the
  // project.
  run(join(ROOT, 'node_modules', 'vitepress', 'bin', 'vitepress.js'), 'build', import.meta.dirname);
  compressFiles(out, BROTLI_QUALITY);
} finally {
  rmSync(temporary, { recursive: true, force: true });
}

function run(...words: readonly string[]): void {
  execFileSync(process.execPath, words, {
    env: { ...process.env, DOCS_OUT: out },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}
