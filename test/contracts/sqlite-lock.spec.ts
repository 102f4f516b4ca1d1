import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DatabaseInUseError, SqliteLock } from '../../src/database/sqlite-lock.js';
import { ServiceProcess } from '../support/service-process.js';
import { SpawnedProgram } from '../support/spawned-program.js';
import { until } from '../support/until.js';

const READY = /ready in/;

let directory: string;
let path: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'workflow-lock-'));
  path = join(directory, 'workflow.sqlite');
});

afterEach(() => {
  SpawnedProgram.killAll();
  rmSync(directory, { recursive: true, force: true });
});

describe('the lock of a SQLite file', () => {
  const said: string[] = [];
  const take = (waitMs: number, onLost = (): void => undefined): Promise<SqliteLock> =>
    SqliteLock.take(path, (text) => said.push(text), onLost, waitMs);

  it('one process gets the lock of a SQLite file, and the others get an error with the id of that process', async () => {
    const first = await take(0);
    await expect(take(300)).rejects.toThrow(DatabaseInUseError);
    await expect(take(0)).rejects.toThrow(`(process ${process.pid}) is using this SQLite database`);
    expect(said.at(-1)).toContain(`is using ${path}. Waiting up to 0`);
    first.release();
    (await take(0)).release();
  });

  it('a process that waits for the lock of a SQLite file gets the lock as soon as it is free', async () => {
    const first = await take(0);
    const second = take(30_000);
    first.release();
    (await second).release();
  });

  it('a process that locks a SQLite file creates one empty lock file and no other file', async () => {
    const lock = await take(0);
    expect(readdirSync(directory)).toEqual(['workflow.sqlite-lock']);
    expect(readFileSync(`${path}-lock`)).toHaveLength(0);
    lock.release();
  });

  it('a process loses its lock of a SQLite file when another file replaces the SQLite file or the lock file', async () => {
    for (const replaced of [path, `${path}-lock`]) {
      writeFileSync(path, '');
      const lost = Promise.withResolvers<void>();
      const lock = await take(0, lost.resolve);
      renameSync(replaced, `${replaced}.old`);
      writeFileSync(replaced, '');
      await lost.promise;
      lock.release();
    }
  });
});

describe('a service on SQLite', () => {
  const serve = (): SpawnedProgram =>
    new SpawnedProgram('dist/src/main.js', directory, {
      DATA_DIR: directory,
      PORT: '0',
      NODE_ENV: 'test',
      LOG_LEVEL: 'warn',
    });

  it('a service waits for another service on the same SQLite file, and starts when that service has ended', async () => {
    const first = serve();
    await first.prints(READY);
    const second = serve();
    await until('the message that another service uses the file', () =>
      second.err.includes('Waiting up to 30 seconds'),
    );
    expect(second.err).toContain(`Another Workflow Service (process ${first.pid}) is using`);
    first.signal('SIGKILL');
    await second.prints(READY);
    expect(second.out).toMatch(READY);
  });

  it('a service does not start while another service on the same SQLite file is suspended', async () => {
    const first = serve();
    await first.prints(READY);
    first.signal('SIGSTOP');
    const second = serve();
    expect(await second.ended).toEqual({ code: 1, signal: null });
    expect(second.out).toBe('');
    expect(second.err).toMatch(
      /Another Workflow Service \(process \d+\) is using this SQLite database\. Stop it/,
    );
    first.signal('SIGCONT');
    expect((await fetch(`${await first.url()}/health/ready`)).status).toBe(200);
  });

  it('a service starts although the previous service on the SQLite file is a zombie process', async () => {
    // `exec sleep` replaces the shell with `sleep`, which does not reap its children. So the killed service remains as
    // a zombie.
    const parent = spawn(
      'sh',
      ['-c', `"${process.execPath}" "${resolve('dist/src/main.js')}" & echo $!; exec sleep 600`],
      {
        cwd: directory,
        env: { PATH: process.env['PATH'], DATA_DIR: directory, PORT: '0', NODE_ENV: 'test' },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    let out = '';
    parent.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    await until('the first service', () => READY.test(out));
    const pid = Number.parseInt(out, 10);
    process.kill(pid, 'SIGKILL');
    await until('the killed service to become a zombie', () =>
      /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8')),
    );
    const second = serve();
    await second.prints(READY);
    expect(second.err).not.toContain('waiting');
    parent.kill('SIGKILL');
    await once(parent, 'close');
  });

  it('a service ends immediately when the lock file of its SQLite database is moved away', async () => {
    const service = new ServiceProcess();
    await service.start();
    const program = service.pid;
    renameSync(
      join(service.directory, 'workflow.sqlite-lock'),
      join(service.directory, 'workflow.sqlite-lock.old'),
    );
    await until('the end of the service', () => {
      try {
        process.kill(program, 0);
        return false;
      } catch {
        return true;
      }
    });
    expect(service.hasDied).toBe(true);
    await service.dispose();
  });
});
