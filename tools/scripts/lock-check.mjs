/** `npm run lock:check`: faults of a package-lock.json with which `npm ci` would fail on other machines. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './sources.mjs';

/** Of the project, and of the packages that only the bench installs. */
const LOCKS = ['package-lock.json', 'tools/bench/peers/package-lock.json'];

const faults = [...LOCKS.flatMap(faultsOf), ...undecidedScripts()];
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.exitCode = faults.length === 0 ? 0 : 1;

function faultsOf(lock) {
  const { packages } = JSON.parse(readFileSync(join(ROOT, lock), 'utf8'));
  const names = new Set(Object.keys(packages).map((path) => path.split('node_modules/').at(-1)));
  return Object.entries(packages)
    .flatMap(([path, entry]) => [
      // npm leaves out what its registry lacks at that moment, and `npm ci` then calls the lock out of step.
      ...Object.keys(entry.optionalDependencies ?? {})
        .filter((name) => !names.has(name))
        .map((name) => `${path}: its optional dependency ${name} has no entry`),
      // Without addresses, whatever registry a machine is set up with serves the packages.
      ...(/^https?:/.test(entry.resolved ?? '') ? [`${path}: bound to the registry of "resolved"`] : []),
      ...(isPackage(path) && entry.link !== true && entry.integrity === undefined && entry.inBundle !== true
        ? [`${path}: has no integrity`]
        : []),
    ])
    .map((fault) => `${lock}: ${fault}`);
}

/** Scripts run only where `allowScripts` says so; a new one is to be decided about, not left out by accident. */
function undecidedScripts() {
  const { allowScripts = {} } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  const names = Object.entries(packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript === true)
    .map(([path]) => path.split('node_modules/').at(-1));
  return [...new Set(names)]
    .filter((name) => typeof allowScripts[name] !== 'boolean')
    .map(
      (name) => `package.json: ${name} has an install script, and allowScripts does not say whether it runs`,
    );
}

/** The project itself and its workspaces have no archive that could be checked. */
function isPackage(path) {
  return path.includes('node_modules/');
}
