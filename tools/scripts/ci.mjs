/**
 * `npm run ci`: runs all checks, even after a check has failed, and prints their durations. For each failed check,
 * prints the end of its output. The last line is "N passed, N failed, N skipped".
 */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { ROOT } from './sources.mjs';

/**
 * Checks that run two at a time: each uses about one core and writes no file that another check reads. Entries are a
 * name and a script in package.json. The first check mostly waits for the network; the others are sorted by duration,
 * longest first, so that both cores are in use until the end.
 */
const READING_CHECKS = [
  ['signatures of packages', 'signatures'],
  ['types', 'types'],
  ['format', 'format:check'],
  ['duplicated blocks', 'duplicates'],
  ['lint', 'lint'],
  ['spelling', 'spelling'],
  ['rooms', 'rooms'],
  ['forbidden phrases', 'language'],
  ['unused code', 'unused'],
  ['commit messages', 'commits'],
  ['lock file', 'lock:check'],
];
/** Checks that run one at a time, because they write files or use all cores. */
const OTHER_CHECKS = [
  ['bill of materials', 'sbom'],
  ['OpenAPI', 'openapi:lint'],
  ['OpenAPI of releases', 'openapi:compatible'],
  ['generated client', 'client:check'],
  ['size of the dashboard', 'dashboard:size'],
  ['branches of the pure rooms', 'test:coverage'],
  ['tests', 'test'],
];
/** Number of lines to print of a failed check, from the end of its output. */
const LAST_LINES = 300;
const NOTE = /^Note: .+$/gm;
const COUNTS = /^\d+ passed, \d+ failed, \d+ skipped$/m;

const begun = Date.now();
const running = new Set();
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => {
    for (const { name, child, output } of running) {
      child.kill(signal);
      process.stdout.write(`\n${signal} in: ${name}\n${Buffer.concat(output).toString()}`);
    }
    process.exit(128 + constants.signals[signal]);
  });

const failed = [];
const counts = [];
await runChecks(READING_CHECKS, 2);
await runChecks(OTHER_CHECKS, 1);
process.stdout.write(`${seconds(Date.now() - begun).padStart(14)}  in all\n`);
process.stdout.write(failed.length === 0 ? 'Every check passed.\n' : `Failed: ${failed.join(', ')}.\n`);
for (const last of counts.slice(-1)) process.stdout.write(`${last}\n`);
process.exitCode = failed.length === 0 ? 0 : 1;

/** Runs checks concurrently, at most `atATime` at once. Prints the results in the order of the list. */
async function runChecks(checks, atATime) {
  const waiting = [...checks];
  let printed = Promise.resolve();
  const runNext = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [name, script] = next;
      const result = check(name, script);
      printed = Promise.all([result, printed]).then(([ended]) => print(name, ended));
      await result;
    }
  };
  await Promise.all(Array.from({ length: atATime }, runNext));
  await printed;
}

function print(name, { passed, output, ms }) {
  process.stdout.write(`${passed ? 'ok    ' : 'FAILED'}  ${seconds(ms)}  ${name}\n`);
  if (!passed) {
    failed.push(name);
    process.stdout.write(`${shown(output).replace(/^/gm, '    ')}\n`);
  } else for (const note of output.match(NOTE) ?? []) process.stdout.write(`    ${note}\n`);
  counts.push(...(COUNTS.exec(output) ?? []));
}

function shown(output) {
  const lines = output.trimEnd().split('\n');
  const named = lines.filter((line) => /^(Failed|Skipped|ERROR): /.test(line));
  return [...named, ...lines.slice(-LAST_LINES)].join('\n');
}

function check(name, script) {
  const started = Date.now();
  const output = [];
  return new Promise((resolve) => {
    const child = spawn('npm', ['run', '--silent', script], {
      cwd: ROOT,
      env: { ...process.env, NO_COLOR: '1', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const run = { name, child, output };
    running.add(run);
    child.stdout.on('data', (chunk) => output.push(chunk));
    child.stderr.on('data', (chunk) => output.push(chunk));
    child.once('error', (error) => output.push(Buffer.from(error.message)));
    child.once('close', (code) => {
      running.delete(run);
      resolve({ passed: code === 0, output: Buffer.concat(output).toString(), ms: Date.now() - started });
    });
  });
}

function seconds(ms) {
  return `${(ms / 1000).toFixed(1).padStart(6)} s`;
}
