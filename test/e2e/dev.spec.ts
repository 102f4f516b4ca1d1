import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { until } from '../support/until.js';

const READY = /Ready [\d.]+ s after the change/g;
/** The URL of the dashboard that Vite serves. */
const PAGE = /http:\/\/[^\s/]+\/dashboard\/(?=\s)/;

it('`npm run dev` restarts the service with the same data after a source file changes', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'workflow-dev-'));
  // The test runner sets a BASE_URL of its own, which the service must not inherit.
  const { BASE_URL: _runners, ...inherited } = process.env;
  const env = { ...inherited, DATA_DIR: directory, PORT: '0', HOST: '127.0.0.1', NO_COLOR: '1' };
  const program = spawn(process.execPath, ['tools/scripts/dev.mjs'], { env });
  let said = '';
  for (const stream of [program.stdout, program.stderr])
    stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const ended = new Promise((resolve) => program.once('exit', resolve));
  const readies = () => said.match(READY)?.length ?? 0;
  try {
    await until('the first start', () => readies() > 0 && PAGE.test(said), { limitMs: 240_000 });
    const made = execFileSync(
      process.execPath,
      ['.dev/src/cli/main.js', 'bootstrap', '--email', 'a@example.com', '--json'],
      { env },
    );
    const { key } = JSON.parse(made.toString()) as { readonly key: string };
    const url = /http:\/\/[^\s/]+/.exec(said)?.[0] ?? '';
    const readiesBefore = readies();
    const now = new Date();
    utimesSync('src/version/version.module.ts', now, now);
    await until('the restart', () => readies() > readiesBefore);
    const answer = await fetch(`${url}/server/version`, { headers: { authorization: `Bearer ${key}` } });
    expect(answer.status).toBe(200);
    const [page = ''] = PAGE.exec(said) ?? [];
    expect(await (await fetch(page)).text()).toContain('/@vite/client');
  } finally {
    program.kill('SIGTERM');
    await ended;
    rmSync(directory, { recursive: true, force: true });
  }
});
