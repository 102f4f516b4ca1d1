/** The packages of the peers: in `bench/node_modules`, which `npm ci` of the project leaves alone. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const BENCH = join(import.meta.dirname, '..');
const require = createRequire(join(BENCH, 'package.json'));

interface Lock {
  readonly packages: Readonly<Record<string, { readonly version?: string; readonly optional?: boolean }>>;
}

/** Installs what bench/package-lock.json names, unless it is there. */
export function installPeers(): void {
  if (isInstalled()) return;
  process.stderr.write('Installing the packages of the peers into bench/node_modules, about a minute ...\n');
  execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: BENCH,
    stdio: ['ignore', 2, 2],
  });
}

function isInstalled(): boolean {
  try {
    const wanted = packagesOf('package-lock.json');
    const installed = packagesOf('node_modules/.package-lock.json');
    return Object.entries(wanted).every(
      ([path, { version, optional }]) =>
        path === '' || (installed[path] === undefined ? optional : installed[path].version === version),
    );
  } catch {
    return false;
  }
}

function packagesOf(file: string): Lock['packages'] {
  return (JSON.parse(readFileSync(join(BENCH, file), 'utf8')) as Lock).packages;
}

/** Where a package of the peers, or else of the project, lies. */
export function packageFolder(name: string): string {
  const folder = require.resolve
    .paths(name)
    ?.map((path) => join(path, name))
    .find((path) => packageVersion(path) !== undefined);
  if (folder === undefined) throw new Error(`The package ${name} is not installed.`);
  return folder;
}

export function versionOf(name: string): string {
  return packageVersion(packageFolder(name)) ?? '';
}

function packageVersion(folder: string): string | undefined {
  try {
    return (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { readonly version: string })
      .version;
  } catch {
    return undefined;
  }
}
