/**
 * `npm run dashboard:size`: measures the gzipped download size of dashboard pages, and fails if a page exceeds its
 * budget. Fonts do not count, because the pages are readable without them.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { DASHBOARD } from './sources.mjs';

/**
 * Maximum size of each page, in kilobytes of 1,000 bytes. The shell must stay below 200 KB. Its limit of 197 leaves room
 * for the icons of the side bar and still reports a large package that a page imports by mistake.
 */
const BUDGETS = [
  { name: 'shell', limit: 197, entries: ['index.html'] },
  { name: 'run page', limit: 280, entries: ['index.html', 'src/pages/execution/execution-page.tsx'] },
];

const manifest = JSON.parse(readFileSync(join(DASHBOARD.out, '.vite', 'manifest.json'), 'utf8'));

for (const { name, limit, entries } of BUDGETS) {
  const files = filesOf(entries);
  const size =
    [...files].reduce((sum, file) => sum + gzipSync(readFileSync(join(DASHBOARD.out, file))).length, 0) /
    1000;
  const isOver = size > limit;
  process.stdout.write(
    `${name.padEnd(10)}${size.toFixed(1).padStart(8)} of ${limit} KB gzip${isOver ? '  TOO LARGE' : ''}\n`,
  );
  if (isOver) process.exitCode = 1;
}

/** Returns the scripts and styles of entry files and of the files that these import. */
function filesOf(entries) {
  const files = new Set();
  const seen = new Set();
  const visit = (key) => {
    if (seen.has(key)) return;
    seen.add(key);
    const chunk = manifest[key];
    if (chunk === undefined) throw new Error(`${key} is missing from the build.`);
    for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file);
    for (const imported of chunk.imports ?? []) visit(imported);
  };
  for (const entry of entries) visit(entry);
  return files;
}
