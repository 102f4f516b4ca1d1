/**
 * `npm run dashboard:size`: fails if the gzip-compressed size of a dashboard page exceeds its limit. Fonts are not
 * counted, because pages are readable without them.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { DASHBOARD } from './sources.mjs';

/**
 * Maximum size of each page in kilobytes (1,000 bytes). The goal for the shell, which every page loads, is
 * 200. The limit is 197, so that the check fails before the shell exceeds its goal.
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

function filesOf(entries) {
  const files = new Set();
  const seen = new Set();
  const visit = (key) => {
    if (seen.has(key)) return;
    seen.add(key);
    const chunk = manifest[key];
    if (chunk === undefined) throw new Error(`The manifest of the dashboard build has no entry ${key}.`);
    for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file);
    for (const imported of chunk.imports ?? []) visit(imported);
  };
  for (const entry of entries) visit(entry);
  return files;
}
