/**
 * `npm run commits`: checks the messages of all commits since the rule was introduced with commitlint: conventional,
 * header of at most 72 characters. In a shallow clone, which lacks that history, it checks only the last commit.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from './sources.mjs';

/** The last commit before the rule. */
const BASE = '636688f2b4ccfa1bee124902620b8c2a08999bb5';

const isKnown =
  spawnSync('git', ['cat-file', '-e', `${BASE}^{commit}`], { cwd: ROOT, stdio: 'ignore' }).status === 0;
const range = isKnown ? ['--from', BASE] : ['--last'];
if (!isKnown) process.stdout.write('Note: a shallow clone; only the last commit message was checked.\n');
const { status } = spawnSync(
  process.execPath,
  [join(ROOT, 'node_modules', '@commitlint', 'cli', 'cli.js'), ...range],
  { cwd: ROOT, stdio: 'inherit' },
);
process.exitCode = status ?? 1;
