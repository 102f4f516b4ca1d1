import { chmod, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SpawnedProgram } from '../support/spawned-program.js';

const MENDED = 'were accessible to other users of this machine';

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'workflow-private-'));
});

afterEach(async () => {
  SpawnedProgram.killAll();
  await rm(directory, { recursive: true, force: true });
});

/** Starts a service and waits until the service has written its files. */
async function started(settings: Readonly<Record<string, string>> = {}): Promise<SpawnedProgram> {
  const program = new SpawnedProgram('dist/src/main.js', directory, {
    PORT: '0',
    LOG_LEVEL: 'warn',
    ...settings,
  });
  await program.prints(/\/setup#t=.*\n\n/);
  return program;
}

async function modes(folder: string, ...files: readonly string[]): Promise<Readonly<Record<string, string>>> {
  const found = await Promise.all(
    ['', ...files].map(async (file) => [file, ((await stat(join(folder, file))).mode & 0o7777).toString(8)]),
  );
  return Object.fromEntries(found) as Readonly<Record<string, string>>;
}

describe.skipIf(process.platform === 'win32')('the files of the embedded profile', () => {
  it('only the operating-system user of the service can access a new data directory and its database files', async () => {
    const program = await started({ DATA_DIR: './new/data' });
    const folder = join(directory, 'new/data');
    expect(await modes(folder, 'workflow.sqlite', 'workflow.sqlite-wal', 'workflow.sqlite-shm')).toEqual({
      '': '700',
      'workflow.sqlite': '600',
      'workflow.sqlite-wal': '600',
      'workflow.sqlite-shm': '600',
    });
    expect(await modes(join(directory, 'new'))).toEqual({ '': '700' });
    expect(program.out + program.err).not.toContain(MENDED);
  });

  it('the service restricts the permissions of existing database and key files, and logs each change', async () => {
    const file = join(directory, 'workflow.sqlite');
    const first = await started({ DATA_DIR: '.' });
    first.signal('SIGTERM');
    await first.ended;
    await chmod(directory, 0o755);
    // This open connection prevents the deletion of the WAL files of the database, so that the service finds them at
    // its start.
    const earlier = new Database(file);
    earlier.exec('CREATE TABLE earlier (id INTEGER)');
    for (const name of ['', '-wal', '-shm']) await chmod(file + name, 0o644);
    await writeFile(join(directory, 'tls.key'), 'key', { mode: 0o640 });
    await writeFile(join(directory, 'notes.txt'), 'notes');
    await chmod(join(directory, 'notes.txt'), 0o644);
    const program = await started({ DATA_DIR: '.' });
    earlier.close();
    expect(await modes(directory, 'workflow.sqlite', 'workflow.sqlite-wal', 'tls.key', 'notes.txt')).toEqual({
      '': '700',
      'workflow.sqlite': '600',
      'workflow.sqlite-wal': '600',
      'tls.key': '600',
      'notes.txt': '644',
    });
    const line = (program.out + program.err).split('\n').find((text) => text.includes(MENDED));
    expect(line).toContain('. (0755, now 0700), ');
    expect(line).toContain('workflow.sqlite (0644, now 0600)');
    expect(line).toContain('tls.key (0640, now 0600)');
  });

  it('the service does not change the permissions of a shared folder in DATABASE_URL', async () => {
    await chmod(directory, 0o1777);
    await started({ DATABASE_URL: `sqlite://${directory}/shared.sqlite` });
    expect(await modes(directory, 'shared.sqlite')).toEqual({ '': '1777', 'shared.sqlite': '600' });
  });

  it('the service does not change the permissions of a shared DATA_DIR, and logs that the folder is shared', async () => {
    await chmod(directory, 0o1777);
    const program = await started({ DATA_DIR: '.' });
    expect(await modes(directory, 'workflow.sqlite')).toEqual({ '': '1777', 'workflow.sqlite': '600' });
    expect(program.out + program.err).toContain('is a shared folder');
  });

  it('the service does not change the permissions of the target of a symbolic link in DATA_DIR', async () => {
    const elsewhere = await mkdtemp(join(tmpdir(), 'workflow-private-'));
    try {
      await writeFile(join(elsewhere, 'victim'), '');
      await chmod(join(elsewhere, 'victim'), 0o644);
      await symlink(join(elsewhere, 'victim'), join(directory, 'a.key'));
      await started({ DATA_DIR: '.' });
      expect(await modes(elsewhere, 'victim')).toMatchObject({ victim: '644' });
    } finally {
      await rm(elsewhere, { recursive: true, force: true });
    }
  });
});
