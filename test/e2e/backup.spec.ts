import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ServiceProcess } from '../support/service-process.js';
import { until } from '../support/until.js';

interface Said {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

interface Execution {
  readonly id: string;
  readonly status: string;
}

let service: ServiceProcess;
let file: string;

beforeEach(() => {
  service = new ServiceProcess();
  file = join(service.directory, 'copy.sqlite');
});

afterEach(() => service.dispose());

/** Runs the built command line on the service's own data directory. */
async function cli(
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Said> {
  const run = promisify(execFile);
  try {
    const { stdout, stderr } = await run(process.execPath, ['dist/src/cli/main.js', ...words], {
      env: { PATH: process.env['PATH'], DATA_DIR: service.directory, NODE_ENV: 'test', ...environment },
    });
    return { code: 0, out: stdout, err: stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, out: stdout, err: stderr };
  }
}

async function workflow(): Promise<string> {
  const nodes = [
    { id: 'wait', type: 'delay', with: { seconds: 1 } },
    { id: 'end', type: 'set', needs: ['wait'], with: { value: '{{ input.n }}' } },
  ];
  return (await service.call<{ id: string }>('POST', '/v1/workflows', { name: 'Backed up', nodes })).id;
}

describe('backup and restore', () => {
  it('keeps everything acknowledged before a backup under load, and lets it run to its end', async () => {
    await service.start();
    const id = await workflow();
    const acknowledged: string[] = [];
    let isLoaded = true;
    const load = (async () => {
      for (let n = 0; isLoaded; n += 1)
        acknowledged.push(
          (await service.call<Execution>('POST', `/v1/workflows/${id}/executions`, { input: { n } })).id,
        );
    })();
    await until('a hundred executions', () => acknowledged.length > 100);
    const before = [...acknowledged];
    const backup = await cli(['backup', file]);
    const during = acknowledged.length - before.length;
    isLoaded = false;
    await load;
    expect([backup.code, backup.out]).toEqual([0, expect.stringMatching(/executions, .* MB, checked\.$/m)]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    // The service went on meanwhile.
    expect(during).toBeGreaterThan(0);

    await service.kill();
    const restored = await cli(['restore', '--replace', file]);
    expect([restored.code, restored.out]).toEqual([0, expect.stringContaining('Restored ')]);
    expect(readdirSync(service.directory).filter((name) => name.includes('.before-'))).toHaveLength(1);
    // Before anything runs on it: the copy is of one moment.
    expect(await cli(['verify'])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Checked \d{3,} executions with \d{3,} events: 0 differ\.$/m),
    });
    await service.start();
    for (const execution of before)
      await until(`the end of ${execution}`, async () => {
        const { status } = await service.call<Execution>('GET', `/v1/executions/${execution}`);
        return status === 'completed';
      });
  }, 120_000);

  it('refuses what would lose something, and leaves no part of a copy', async () => {
    await service.start();
    const first = await cli(['backup', file]);
    expect(first.code).toBe(0);
    expect(await cli(['backup', file])).toMatchObject({
      code: 1,
      err: expect.stringContaining('exists already'),
    });
    expect(await cli(['restore', file])).toMatchObject({
      code: 1,
      err: expect.stringContaining('--replace'),
    });
    expect(await cli(['restore', '--replace', file])).toMatchObject({
      code: 1,
      err: expect.stringContaining('runs on this SQLite database'),
    });
    const missing = join(service.directory, 'no', 'folder', 'copy.sqlite');
    expect((await cli(['backup', missing])).code).toBe(1);

    const wrong = join(service.directory, 'wrong.sqlite');
    const bytes = readFileSync(file);
    // From the second page on, so that it is still a database.
    for (const [content, words] of [
      [Buffer.from('no database'), 'file is not a database'],
      [Buffer.concat([bytes.subarray(0, 8_192), Buffer.alloc(8_192), bytes.subarray(16_384)]), 'is damaged'],
    ] as const) {
      writeFileSync(wrong, content);
      expect(await cli(['restore', '--replace', wrong])).toMatchObject({
        code: 1,
        err: expect.stringContaining(words),
      });
    }
    expect(existsSync(`${file}.partial`)).toBe(false);
    expect((await service.call<{ status: string }>('GET', '/health/ready')).status).toBe('ok');
  }, 60_000);

  it('sends a user of PostgreSQL to its own tools', async () => {
    const database = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' };
    expect(await cli(['backup', file], database)).toMatchObject({
      code: 1,
      err: expect.stringContaining('pg_dump'),
    });
  });
});
