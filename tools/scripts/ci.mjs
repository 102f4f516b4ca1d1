/**
 * `npm run ci`: runs all checks, even after a check has failed, and prints their durations. For each failed check, it
 * prints the end of the output. The last line is "N passed, N failed, N skipped".
 */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { ROOT } from './sources.mjs';

/** Name of each check, and its script in package.json. */
const CHECKS = [
  ['format', 'format:check'],
  ['types', 'types'],
  ['lint', 'lint'],
  ['rooms', 'rooms'],
  ['duplicated blocks', 'duplicates'],
  ['unused code', 'unused'],
  ['spelling', 'spelling'],
  ['forbidden phrases', 'language'],
  ['commit messages', 'commits'],
  ['lock file', 'lock:check'],
  ['signatures of packages', 'signatures'],
  ['bill of materials', 'sbom'],
  ['OpenAPI', 'openapi:lint'],
  ['OpenAPI of releases', 'openapi:compatible'],
  ['generated client', 'client:check'],
  ['size of the dashboard', 'dashboard:size'],
  ['branches of the pure rooms', 'test:coverage'],
  ['tests', 'test'],
];
/** Number of lines at the end of the output that are printed for a failed check. */
const LAST_LINES = 300;
const NOTE = /^Note: .+$/gm;
const COUNTS = /^\d+ passed, \d+ failed, \d+ skipped$/m;

const begun = Date.now();
let running;
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => {
    running?.child.kill(signal);
    process.stdout.write(
      `\n${signal} in: ${String(running?.name)}\n${Buffer.concat(running?.output ?? []).toString()}`,
    );
    process.exit(128 + constants.signals[signal]);
  });

const failed = [];
let counts;
for (const [name, script] of CHECKS) {
  const { passed, output, ms } = await check(name, script);
  process.stdout.write(`${passed ? 'ok    ' : 'FAILED'}  ${seconds(ms)}  ${name}\n`);
  if (!passed) {
    failed.push(name);
    process.stdout.write(`${shown(output).replace(/^/gm, '    ')}\n`);
  } else for (const note of output.match(NOTE) ?? []) process.stdout.write(`    ${note}\n`);
  counts = COUNTS.exec(output)?.[0] ?? counts;
}
process.stdout.write(`${seconds(Date.now() - begun).padStart(14)}  in all\n`);
process.stdout.write(failed.length === 0 ? 'Every check passed.\n' : `Failed: ${failed.join(', ')}.\n`);
if (counts !== undefined) process.stdout.write(`${counts}\n`);
process.exitCode = failed.length === 0 ? 0 : 1;

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
    running = { name, child, output };
    child.stdout.on('data', (chunk) => output.push(chunk));
    child.stderr.on('data', (chunk) => output.push(chunk));
    child.once('error', (error) => output.push(Buffer.from(error.message)));
    child.once('close', (code) => {
      resolve({ passed: code === 0, output: Buffer.concat(output).toString(), ms: Date.now() - started });
    });
  });
}

function seconds(ms) {
  return `${(ms / 1000).toFixed(1).padStart(6)} s`;
}
