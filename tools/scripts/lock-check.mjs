/** `npm run lock:check`: finds errors in package-lock.json that make `npm ci` fail on other machines. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './sources.mjs';

/** Lock files of the project and of the bench. */
const LOCKS = ['package-lock.json', 'tools/bench/peers/package-lock.json'];

const faults = [...LOCKS.flatMap(faultsOf), ...undecidedScripts()];
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.exitCode = faults.length === 0 ? 0 : 1;

function faultsOf(lock) {
  const { packages } = JSON.parse(readFileSync(join(ROOT, lock), 'utf8'));
  const names = new Set(Object.keys(packages).map((path) => path.split('node_modules/').at(-1)));
  return Object.entries(packages)
    .flatMap(([path, entry]) => [
      // If an optional dependency is temporarily missing, npm omits it from the lock file, and `npm ci` fails later.
      ...Object.keys(entry.optionalDependencies ?? {})
        .filter((name) => !names.has(name))
        .map((name) => `${path}: its optional dependency ${name} has no entry in the lock file`),
      // The lock file must not contain URLs, so that each machine can use its own registry.
      ...(/^https?:/.test(entry.resolved ?? '')
        ? [`${path}: "resolved" contains the address of a registry`]
        : []),
      ...(isPackage(path) && entry.link !== true && entry.integrity === undefined && entry.inBundle !== true
        ? [`${path}: has no integrity`]
        : []),
    ])
    .map((fault) => `${lock}: ${fault}`);
}

/** Each package with an install script needs an entry in `allowScripts`. */
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

/** Whether a path of the lock file is a package from the registry. Workspaces are not. */
function isPackage(path) {
  return path.includes('node_modules/');
}
