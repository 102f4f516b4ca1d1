/**
 * `node tools/scripts/build.mjs [service|dashboard|docs]`: builds one target, or all targets without an argument. With
 * `--if-due`, skips targets whose sources have not changed.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { exclusively } from './exclusively.mjs';
import { DASHBOARD, DOCS, isBuilt, ROOT, SERVICE, sourcesHash, stampBuild } from './sources.mjs';

const BUILDS = {
  service: [SERVICE, buildService],
  dashboard: [DASHBOARD, buildDashboard],
  docs: [DOCS, buildDocs],
};
const ifDue = process.argv.includes('--if-due');
const named = process.argv.slice(2).filter((word) => word !== '--if-due');
const wanted = named.length > 0 ? named : Object.keys(BUILDS);
if (wanted.some((name) => !(name in BUILDS))) {
  process.stderr.write('Usage: node tools/scripts/build.mjs [--if-due] [service] [dashboard] [docs]\n');
  process.exit(2);
}
if (ifDue) setPriority(constants.priority.PRIORITY_LOW);
for (const name of wanted) {
  const [target, make] = BUILDS[name];
  const isDone = (ifDue && isBuilt(target)) || (await make());
  if (!isDone) process.exitCode = 1;
}

function buildService() {
  return build(SERVICE, () =>
    [['node_modules/@nestjs/cli/bin/nest.js', 'build'], ['tools/scripts/join.mjs']].every(
      (words) => run(words, 'inherit').status === 0,
    ),
  );
}

/**
 * Builds the dashboard. A failed build is no error: the service then starts without a dashboard and reports the reason.
 */
function buildDashboard() {
  return build(DASHBOARD, () => {
    const { status, stdout, stderr, error } = run(
      ['node_modules/vite/bin/vite.js', 'build', 'dashboard', '--logLevel', 'warn'],
      'pipe',
    );
    process.stderr.write(`${stdout}${stderr}`);
    if (status === 0) return true;
    const [reason = error?.message ?? `it ended with ${status}`] = stderr
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => /error/i.test(line));
    rmSync(DASHBOARD.out, { recursive: true, force: true });
    mkdirSync(DASHBOARD.out, { recursive: true });
    writeFileSync(join(DASHBOARD.out, 'build-failure.txt'), `its build failed (${reason.slice(0, 300)})\n`);
    return false;
  });
}

/**
 * Builds the docs site into a new folder, so that the previous site stays in use until the new site is complete. A lock
 * ensures that only one process builds at a time.
 */
async function buildDocs() {
  let isMade = false;
  await exclusively(
    join(ROOT, '.preparing.lock.docs'),
    async () => {
      isMade = (ifDue && isBuilt(DOCS)) || (await makeDocs());
    },
    () => undefined,
  );
  return isMade;
}

async function makeDocs() {
  const hash = sourcesHash(DOCS);
  const made = `${DOCS.out}.new`;
  rmSync(made, { recursive: true, force: true });
  // The build runs asynchronously, because this process must renew its lock during the build. `run` would block the
  // process.
  const [code] = await once(
    spawn(process.execPath, ['tools/docs-site/build.ts', made], {
      cwd: ROOT,
      stdio: ['ignore', 'ignore', 'inherit'],
    }),
    'close',
  );
  if (code !== 0) return false;
  stampBuild({ ...DOCS, out: made }, hash);
  rmSync(DOCS.out, { recursive: true, force: true });
  renameSync(made, DOCS.out);
  return true;
}

function build(target, make) {
  // The hash of the sources is computed before the build, so that a change during the build makes the next build
  // necessary.
  const hash = sourcesHash(target);
  rmSync(target.out, { recursive: true, force: true });
  const isMade = make();
  if (isMade) stampBuild(target, hash);
  return isMade;
}

function run(words, stdio) {
  return spawnSync(process.execPath, words, { cwd: ROOT, stdio, encoding: 'utf8' });
}
