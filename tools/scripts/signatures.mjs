/**
 * `npm run signatures`: verifies the registry signatures of all npm packages. If the registry is unavailable, the check
 * passes with a note.
 */
import { execFile } from 'node:child_process';
import { ROOT } from './sources.mjs';

const TIMEOUT_MS = 120_000;
const WORDS = ['audit', 'signatures', '--json', '--fetch-retries=1', '--fetch-timeout=20000'];
/** npm error codes for an unavailable registry. */
const NO_RESPONSE =
  /^(?:ENOTFOUND|EAI_AGAIN|ECONN\w+|E?TIMEDOUT|ETIMEOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|E404|E5\d\d|TUF_\w+)$/;
const NO_KEYS = /no dependencies to audit that were installed from a supported registry/;

const { output, timedOut } = await audit();
const { invalid = [], missing = [], error } = read(output);
for (const [fault, packages] of Object.entries({ invalid, missing }))
  for (const { name, version } of packages)
    process.stderr.write(`${name}@${version}: ${fault} registry signature\n`);

if (invalid.length + missing.length > 0) process.exitCode = 1;
else if (timedOut) note(`no answer within ${TIMEOUT_MS / 1000} s`);
else if (error !== undefined) {
  const summary = String(error.summary ?? '').split('\n', 1)[0];
  if (NO_RESPONSE.test(error.code ?? '') || NO_KEYS.test(summary)) note(error.code ?? summary);
  else {
    process.stderr.write(`npm audit signatures failed: ${error.code ?? ''} ${summary}\n`);
    process.exitCode = 1;
  }
}

function note(reason) {
  process.stdout.write(
    `Note: package signatures were not verified, because the registry did not respond (${reason}).\n`,
  );
}

function audit() {
  return new Promise((resolve) => {
    execFile('npm', WORDS, { cwd: ROOT, timeout: TIMEOUT_MS, maxBuffer: Infinity }, (failure, printed) =>
      resolve({ output: printed, timedOut: failure?.killed === true }),
    );
  });
}

function read(json) {
  if (json.trim() === '') return { error: { summary: 'npm printed no result. Run the command again.' } };
  return JSON.parse(json);
}
