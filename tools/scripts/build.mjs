/**
 * `npm run build`: compiles src and migrations into dist, and bundles the dashboard into dashboard/dist.
 * `node tools/scripts/build.mjs service|dashboard` builds one of them.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DASHBOARD, ROOT, SERVICE, sourcesHash, stampBuild } from './sources.mjs';

const BUILDS = { service: buildService, dashboard: buildDashboard };
const wanted = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(BUILDS);
if (wanted.some((name) => !(name in BUILDS))) {
  process.stderr.write('Usage: node tools/scripts/build.mjs [service] [dashboard]\n');
  process.exit(2);
}
for (const name of wanted) if (!BUILDS[name]()) process.exitCode = 1;

function buildService() {
  return build(SERVICE, () => run(['node_modules/@nestjs/cli/bin/nest.js', 'build'], 'inherit').status === 0);
}

/** A failed build leaves the reason in place of the files: the service starts without a dashboard and reports it. */
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

function build(target, make) {
  // Hashed before the build, so that changes made during compilation trigger the next build.
  const hash = sourcesHash(target);
  rmSync(target.out, { recursive: true, force: true });
  const isMade = make();
  if (isMade) stampBuild(target, hash);
  return isMade;
}

function run(words, stdio) {
  return spawnSync(process.execPath, words, { cwd: ROOT, stdio, encoding: 'utf8' });
}
