/** `npm run lock:check`: finds errors in the lock files of npm that make `npm ci` fail on other machines. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './sources.mjs';

/** Lock files of the project, and of the other engines in the benchmarks. */
const LOCKS = ['package-lock.json', 'tools/bench/peers/package-lock.json'];

const faults = [...LOCKS.flatMap(faultsOf), ...undecidedScripts()];
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.exitCode = faults.length === 0 ? 0 : 1;

function faultsOf(lock) {
  const { packages } = JSON.parse(readFileSync(join(ROOT, lock), 'utf8'));
  const names = new Set(Object.keys(packages).map((path) => path.split('node_modules/').at(-1)));
  return Object.entries(packages)
    .flatMap(([path, entry]) => [
      // npm omits an optional dependency from the lock file if the registry is temporarily unavailable. A later `npm
      // ci` then fails.
      ...Object.keys(entry.optionalDependencies ?? {})
        .filter((name) => !names.has(name))
        .map((name) => `${path}: its optional dependency ${name} has no entry in the lock file`),
      // A lock file without URLs lets each machine use its own registry.
      ...(/^https?:/.test(entry.resolved ?? '')
        ? [`${path}: "resolved" contains the address of a registry`]
        : []),
      ...(isPackage(path) && entry.link !== true && entry.integrity === undefined && entry.inBundle !== true
        ? [`${path}: has no integrity`]
        : []),
    ])
    .map((fault) => `${lock}: ${fault}`);
}

/** Returns an error for each package with an install script that has no entry in `allowScripts` of package.json. */
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

/** Whether a path in the lock file belongs to an installed package, and not to a workspace. */
function isPackage(path) {
  return path.includes('node_modules/');
}
