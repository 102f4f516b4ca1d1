/**
 * `npm test [-- arguments of vitest]`: runs all tests on SQLite and on PostgreSQL. With CI=true, a skipped test counts
 * as a failure. The last line is "N passed, N failed, N skipped".
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { memoryFolder } from './memory-folder.mjs';
import { ROOT } from './sources.mjs';
import { postgresServer, redisServer } from './test-servers.mjs';

const isCi = process.env.CI === 'true';
const args = process.argv.slice(2);
/**
 * False if the arguments select some of the tests. Vitest then reports the other tests as skipped, which is no failure.
 */
const isWhole = !args.some(
  (arg) => arg === '-t' || arg.startsWith('--testNamePattern') || arg.startsWith('--shard'),
);
// This process and all that it starts create their temporary files in TMPDIR.
process.env.TMPDIR ??= memoryFolder() ?? tmpdir();
const folder = mkdtempSync(join(tmpdir(), 'workflow-service-tests-'));
const reportFile = join(folder, 'report.json');
const servers = [];
const missing = [];
let vitest;
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => vitest?.kill(signal));

try {
  const postgres = await server('PostgreSQL', postgresServer);
  const redis = await server('Redis', redisServer);
  const code = await runVitest({ TEST_POSTGRES_URL: postgres?.url, TEST_REDIS_URL: redis?.url });
  process.exitCode = report(code);
} finally {
  for (const { stop } of servers) await stop();
  rmSync(folder, { recursive: true, force: true });
}

async function server(name, find) {
  try {
    const found = await find();
    servers.push(found);
    process.stdout.write(`${name}: ${found.from}\n`);
    return found;
  } catch (error) {
    missing.push(`what runs on ${name}: ${error.message}`);
    return undefined;
  }
}

function runVitest(urls) {
  const words = [
    join(ROOT, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--reporter=default',
    `--reporter=${join(ROOT, 'tools/scripts/test-reporter.mjs')}`,
    ...args,
  ];
  const given = Object.entries(urls).filter(([, url]) => url !== undefined);
  return new Promise((resolve) => {
    vitest = spawn(process.execPath, words, {
      cwd: ROOT,
      env: { ...process.env, ...Object.fromEntries(given), TEST_REPORT: reportFile },
      stdio: 'inherit',
    });
    vitest.once('close', (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
  });
}

/** Prints the failures, the skipped tests and the counts of a test run. */
function report(code) {
  const { passed, failures, repeated, skipped, slowest } = readReport();
  if (isWhole)
    for (const { name, seconds } of slowest) process.stdout.write(`Note: ${seconds} s in ${name}\n`);
  for (const { name, message } of repeated)
    process.stdout.write(`Note: passed only at the second attempt: ${name}: ${message.split('\n', 1)[0]}\n`);
  for (const { name, message } of failures)
    process.stdout.write(`Failed: ${name}: ${message.split('\n', 1)[0]}\n`);
  const notRun = isWhole ? [...missing, ...skipped] : missing;
  for (const name of notRun) process.stdout.write(`Skipped: ${name}\n`);
  if (isCi && notRun.length > 0) process.stdout.write('Failed: with CI=true no test may be skipped.\n');
  if (code !== 0 && failures.length === 0)
    process.stdout.write(
      `Failed: vitest exited with ${code} although no test failed. The reason is above.\n`,
    );
  process.stdout.write(
    `${passed} passed, ${failures.length} failed, ${skipped.length + missing.length} skipped\n`,
  );
  if (code !== 0) return code;
  return failures.length > 0 || passed === 0 || (isCi && notRun.length > 0) ? 1 : 0;
}

function readReport() {
  try {
    return JSON.parse(readFileSync(reportFile, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') return { passed: 0, failures: [], repeated: [], skipped: [], slowest: [] };
    throw error;
  }
}
