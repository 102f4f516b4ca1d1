/**
 * `npm run commits`: checks commit messages with commitlint. In a shallow clone, only the last commit is checked,
 * because the history is missing.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from './sources.mjs';

/** Last commit whose message is not checked. The check of commit messages was introduced after this commit. */
const BASE = '636688f2b4ccfa1bee124902620b8c2a08999bb5';

const isKnown =
  spawnSync('git', ['cat-file', '-e', `${BASE}^{commit}`], { cwd: ROOT, stdio: 'ignore' }).status === 0;
const range = isKnown ? ['--from', BASE] : ['--last'];
if (!isKnown)
  process.stdout.write('Note: this is a shallow clone, so only the last commit message was checked.\n');
const { status } = spawnSync(
  process.execPath,
  [join(ROOT, 'node_modules', '@commitlint', 'cli', 'cli.js'), ...range],
  { cwd: ROOT, stdio: 'inherit' },
);
process.exitCode = status ?? 1;
