/**
 * Installs the packages of other engines in a folder of their own, so that `npm ci` of the project does not install
 * them.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const PEERS = import.meta.dirname;
const require = createRequire(join(PEERS, 'package.json'));

interface Lock {
  readonly packages: Readonly<Record<string, { readonly version?: string; readonly optional?: boolean }>>;
}

/** Installs the packages of tools/bench/peers/package-lock.json, unless they are already installed. */
export function installPeers(): void {
  if (isInstalled()) return;
  process.stderr.write(
    'Installing the packages of the peers into tools/bench/peers/node_modules, about a minute ...\n',
  );
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: PEERS,
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
  return (JSON.parse(readFileSync(join(PEERS, file), 'utf8')) as Lock).packages;
}

export function versionOf(name: string): string {
  const folders = require.resolve.paths(name) ?? [];
  const [version] = folders.flatMap((folder) => packageVersion(join(folder, name)) ?? []);
  if (version === undefined) throw new Error(`The package ${name} is not installed.`);
  return version;
}

function packageVersion(folder: string): string | undefined {
  try {
    return (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { readonly version: string })
      .version;
  } catch {
    return undefined;
  }
}
