/**
 * `npm run commits`: checks commit messages with commitlint. A shallow clone has no history, so
 * only its last commit is checked.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from './sources.mjs';

/** Last commit before the rule was introduced. */
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
