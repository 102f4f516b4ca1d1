import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { SpawnedProgram } from '../support/spawned-program.js';
import { until } from '../support/until.js';

const DISK_BYTES = 12 * 1_048_576;
const RESERVE_BYTES = 65_536;

/** Whether the current user can mount a file system in a new user namespace. */
const canMount = spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'workflow-full-'));
});

afterEach(() => {
  SpawnedProgram.killAll();
  rmSync(directory, { recursive: true, force: true });
});

/** Runs a program of the service with `directory` on an in-memory file system of 12 MiB. */
function onSmallDisk(file: string): SpawnedProgram {
  const mount = `mount -t tmpfs -o size=${DISK_BYTES},mode=700 tmpfs "${directory}"`;
  const bootstrap = `"${process.execPath}" dist/src/cli/main.js bootstrap --email test@example.com --json`;
  const command = `${mount} && ${bootstrap} && exec "${process.execPath}" ${file}`;
  return new SpawnedProgram(file, process.cwd(), settings(), [], ['unshare', '-rm', 'sh', '-c', command]);
}

function settings(): Readonly<Record<string, string>> {
  return { DATA_DIR: directory, PORT: '0', NODE_ENV: 'test', LOG_LEVEL: 'warn', DEFAULT_PLAN: 'enterprise' };
}

it.runIf(canMount)(
  'the service rejects starts with 503 while the disk is full, and accepts starts after space is freed',
  async () => {
    const service = onSmallDisk('dist/src/main.js');
    const url = await service.url();
    const [, key = ''] = /"key": ?"(wfk_\w+)"/.exec(service.out) ?? [];
    const call = async (method: string, path: string, body?: unknown) => {
      const response = await fetch(url + path, {
        method,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return {
        status: response.status,
        body: (await response.json()) as { id: string; error?: { type: string } },
      };
    };
    const nodes = [{ id: 'a', type: 'set', with: { value: 'x'.repeat(10_000) } }];
    const workflow = await call('POST', '/v1/workflows', { name: 'test', nodes });
    const start = () => call('POST', `/v1/workflows/${workflow.body.id}/executions`, {});
    expect((await start()).status).toBe(201);
    // Only the process of the service sees the mounted file system, so the test writes files through /proc.
    const disk = `/proc/${service.pid}/root${directory}`;
    const { bavail, bsize } = statfsSync(disk);
    const ballast = join(disk, 'ballast');
    const fullSince = performance.now();
    writeFileSync(ballast, Buffer.alloc(bavail * bsize - RESERVE_BYTES));
    const refused = await until('the first rejected start', async () => {
      const answer = await start();
      return answer.status === 201 ? undefined : answer;
    });
    expect(refused).toMatchObject({ status: 503, body: { error: { type: 'unavailable_error' } } });
    // A small write may still succeed and make the service ready again. So the test starts executions until
    // the readiness probe fails.
    await until('a failing readiness probe', async () => {
      await start();
      return (await call('GET', '/health/ready')).status === 503;
    });
    expect((await call('GET', `/v1/workflows/${workflow.body.id}`)).status).toBe(200);
    for (let n = 0; n < 50; n += 1) expect((await start()).status).toBe(503);
    // On a slow machine, the service also logs slow requests.
    const lines = service.out
      .split('\n')
      .filter((line) => line.startsWith('{"level"') && !line.includes('A request was slow.'));
    // The service logs an outage of the database once a minute.
    const minutes = Math.ceil((performance.now() - fullSince) / 60_000);
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.length).toBeLessThanOrEqual(minutes);
    for (const line of lines) expect(line).toContain('the disk is full. Free some space');
    rmSync(ballast);
    await until('a passing readiness probe', async () => (await call('GET', '/health/ready')).status === 200);
    expect((await start()).status).toBe(201);
  },
  120_000,
);
