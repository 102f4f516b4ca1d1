/**
 * Runs a script on the project's own Node.js, even in a fresh clone:
 *
 * node tools/scripts/with-install.mjs [--quiet] [--build] [--dashboard] [--docs | --docs-later] <script> [arguments]
 *
 * Installs the packages if they differ from package-lock.json.
 * `--build` builds the service if its sources have changed.
 * `--dashboard` also builds the dashboard. The script runs even if this build fails.
 * `--docs` also builds the docs site. `--docs-later` builds the site while the script runs.
 * `--quiet` prints only the output of the script, unless a step fails.
 * This file needs no packages and runs on Node.js 18 or newer.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { basename, delimiter, join, resolve } from 'node:path';
import { exclusively } from './exclusively.mjs';
import { DASHBOARD, DOCS, isBuilt, ROOT, SERVICE } from './sources.mjs';

const MODULES = join(ROOT, 'node_modules');
const NODE = join(MODULES, 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
const PARENT_POLL_MS = 250;
const OPTIONS = ['--quiet', '--build', '--dashboard', '--docs', '--docs-later'];
const BUILD = join(ROOT, 'tools', 'scripts', 'build.mjs');
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

const given = process.argv.slice(2);
const first = given.findIndex((word) => !word.startsWith('--'));
const options = given.slice(0, first === -1 ? given.length : first);
const [script, ...args] = given.slice(options.length);
const quiet = options.includes('--quiet');
if (script === undefined || options.some((option) => !OPTIONS.includes(option))) {
  process.stderr.write(
    `Usage: node tools/scripts/with-install.mjs ${OPTIONS.map((option) => `[${option}]`).join(' ')} <script> [arguments]\n`,
  );
  process.exit(2);
}

let child;
for (const signal of SIGNALS)
  process.on(signal, () => {
    if (child === undefined) process.exit(128 + constants.signals[signal]);
    child.kill(signal);
  });

// A killed npm process cannot forward signals to this process. This process therefore ends when its parent process
// changes.
if (process.env.npm_lifecycle_event !== undefined) {
  const parent = process.ppid;
  const watching = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watching);
    process.kill(process.pid, 'SIGTERM');
  }, PARENT_POLL_MS).unref();
}

if (!isReady())
  await exclusively(join(ROOT, '.preparing.lock'), prepare, () =>
    say('Another process prepares this project; waiting.'),
  );
const docs = options.includes('--docs-later') ? buildDocsMeanwhile() : undefined;
const exitCode = await run(NODE, [resolve(ROOT, script), ...args], 'inherit', [
  join(MODULES, '.bin'),
  ...pathsElsewhere(),
]);
docs?.();
process.exit(exitCode);

function isReady() {
  return (
    isInstalled() && !isDue('--build', SERVICE) && !isDue('--dashboard', DASHBOARD) && !isDue('--docs', DOCS)
  );
}

async function prepare() {
  if (!isInstalled()) await install();
  if (isDue('--build', SERVICE)) await step('Building', 'Built', NODE, [BUILD, 'service']);
  if (isDue('--dashboard', DASHBOARD)) await optionalStep('dashboard');
  if (isDue('--docs', DOCS)) await optionalStep('docs');
}

/** Builds the dashboard or the docs site. If the build fails, the service runs without it. */
async function optionalStep(name) {
  say(`Building the ${name} ...`);
  const begun = Date.now();
  const status = await run(NODE, [BUILD, name], quiet ? 'collect' : 'to stderr', pathsElsewhere());
  say(
    status === 0
      ? `Built in ${secondsSince(begun)} s.`
      : `Could not build the ${name}; the rest works without it.`,
  );
}

/**
 * Starts a build of the docs site in the background.
 * @returns a function that stops the build
 */
function buildDocsMeanwhile() {
  // The build has its own process group, so that one signal also stops its child processes.
  const detached = process.platform !== 'win32';
  const building = spawn(NODE, [BUILD, '--if-due', 'docs'], { cwd: ROOT, stdio: 'ignore', detached });
  building.on('error', () => undefined);
  building.unref();
  return () => {
    if (building.pid === undefined || building.exitCode !== null || building.signalCode !== null) return;
    try {
      process.kill(detached ? -building.pid : building.pid, 'SIGTERM');
    } catch {
      // The build may already have ended, which makes the kill fail. This error can be ignored.
    }
  };
}

/**
 * Installs the packages without their install scripts, and then runs only the allowed install scripts. npm 10 does not
 * know `allowScripts`, so it would run all of them. The install script of the package `node` runs last and marks the
 * installation as complete.
 */
async function install() {
  await step(
    'Installing the packages, about a minute',
    'Installed',
    ...npm('ci', '--ignore-scripts', '--include=dev', '--no-audit', '--no-fund'),
  );
  const { allowScripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const allowed = Object.keys(allowScripts).filter(
    (name) => allowScripts[name] && name !== 'node' && existsSync(join(MODULES, name)),
  );
  for (const names of [allowed, ['node']].filter(({ length }) => length > 0))
    await step(
      `Running the install scripts of ${names.join(', ')}`,
      'Ran them',
      ...npm('rebuild', '--ignore-scripts=false', ...names),
    );
}

function isDue(option, target) {
  return options.includes(option) && !isBuilt(target);
}

/** Whether the packages in node_modules match package-lock.json. */
function isInstalled() {
  if (!existsSync(NODE)) return false;
  try {
    const wanted = packagesOf(join(ROOT, 'package-lock.json'));
    const installed = packagesOf(join(MODULES, '.package-lock.json'));
    return Object.entries(wanted).every(([path, { version, optional }]) =>
      installed[path] === undefined ? path === '' || optional === true : installed[path].version === version,
    );
  } catch {
    return false;
  }
}

function packagesOf(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages;
}

/**
 * Returns the command that runs npm on the Node.js of the machine. npm must not run on the project's Node.js, because
 * npm may replace it.
 */
function npm(...command) {
  const path = process.env.npm_execpath ?? '';
  // Hides npm's warnings about the version of the machine's Node.js, because scripts run on the project's own Node.js.
  const words = [...command, '--loglevel=error'];
  if (basename(path) !== 'npm-cli.js' || process.execPath.startsWith(MODULES)) return ['npm', words];
  return [process.execPath, [path, ...words]];
}

async function step(doing, done, command, words) {
  say(`${doing} ...`);
  const begun = Date.now();
  const code = await run(command, words, quiet ? 'collect' : 'to stderr', pathsElsewhere());
  if (code !== 0) {
    process.stderr.write(`"${doing}" failed: ${[command, ...words].join(' ')} ended with ${code}.\n`);
    process.exit(code);
  }
  say(`${done} in ${secondsSince(begun)} s.`);
}

function secondsSince(begun) {
  return Math.round((Date.now() - begun) / 1000);
}

function say(text) {
  if (!quiet) process.stderr.write(`${text}\n`);
}

/**
 * @param output `inherit` shares all streams with the child. `to stderr` redirects its output. `collect` prints its
 * output only if it fails.
 * @param paths PATH entries of the child
 * @returns exit code by shell convention
 */
function run(command, words, output, paths) {
  const stdio = { inherit: 'inherit', 'to stderr': ['ignore', 2, 2], collect: ['ignore', 'pipe', 'pipe'] }[
    output
  ];
  const collected = [];
  return new Promise((ended) => {
    child = spawn(command, words, {
      env: { ...process.env, PATH: paths.join(delimiter) },
      stdio,
      ...(output === 'inherit' ? {} : { cwd: ROOT }),
    });
    child.stdout?.on('data', (chunk) => collected.push(chunk));
    child.stderr?.on('data', (chunk) => collected.push(chunk));
    child.once('error', (error) => {
      process.stderr.write(`${command}: ${error.message}\n`);
      ended(127);
    });
    child.once('close', (code, signal) => {
      const status = code ?? 128 + constants.signals[signal];
      if (status !== 0) process.stderr.write(Buffer.concat(collected));
      ended(status);
    });
  });
}

/**
 * Returns the `PATH` variable without the folder of the project's own packages, so that their programs are not found.
 */
function pathsElsewhere() {
  const own = join(MODULES, '.bin');
  return (process.env.PATH ?? '').split(delimiter).filter((path) => path !== own);
}
