/** `npm run lock:check`: finds errors in package-lock.json that would make `npm ci` fail on other machines. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './sources.mjs';

/** Lock files of the project, and of the packages that only the bench installs. */
const LOCKS = ['package-lock.json', 'tools/bench/peers/package-lock.json'];

const faults = [...LOCKS.flatMap(faultsOf), ...undecidedScripts()];
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.exitCode = faults.length === 0 ? 0 : 1;

function faultsOf(lock) {
  const { packages } = JSON.parse(readFileSync(join(ROOT, lock), 'utf8'));
  const names = new Set(Object.keys(packages).map((path) => path.split('node_modules/').at(-1)));
  return Object.entries(packages)
    .flatMap(([path, entry]) => [
      // If a registry temporarily lacks an optional dependency, npm omits its entry. `npm ci` then fails later, because
      // the lock file is out of sync.
      ...Object.keys(entry.optionalDependencies ?? {})
        .filter((name) => !names.has(name))
        .map((name) => `${path}: its optional dependency ${name} has no entry in the lock file`),
      // If the lock file contains no URLs, each machine uses its own configured registry.
      ...(/^https?:/.test(entry.resolved ?? '')
        ? [`${path}: "resolved" contains the address of a registry`]
        : []),
      ...(isPackage(path) && entry.link !== true && entry.integrity === undefined && entry.inBundle !== true
        ? [`${path}: has no integrity`]
        : []),
    ])
    .map((fault) => `${lock}: ${fault}`);
}

/** Requires an explicit decision about each install script. Only scripts in `allowScripts` are executed. */
function undecidedScripts() {
  const { allowScripts = {} } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  const names = Object.entries(packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript === true)
    .map(([path]) => path.split('node_modules/').at(-1));
  return [...new Set(names)]
    .filter((name) => typeof allowScripts[name] !== 'boolean')
    .map((name) => `package.json: ${name} has an install script, but no entry in allowScripts`);
}

/** Returns whether a path belongs to a package that has an archive. The project and its workspaces have no archive. */
function isPackage(path) {
  return path.includes('node_modules/');
}
