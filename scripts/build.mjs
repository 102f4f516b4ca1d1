/** `npm run build`: compiles src and migrations into dist. */
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, sourcesHash, stampBuild } from './sources.mjs';

// Taken before: what is changed while the compiler runs is built the next time.
const hash = sourcesHash();
rmSync(join(ROOT, 'dist'), { recursive: true, force: true });
const { status } = spawnSync(
  process.execPath,
  [join(ROOT, 'node_modules/@nestjs/cli/bin/nest.js'), 'build'],
  {
    cwd: ROOT,
    stdio: 'inherit',
  },
);
if (status === 0) stampBuild(hash);
process.exitCode = status ?? 1;
