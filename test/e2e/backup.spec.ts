import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { installedPostgres } from '../../tools/scripts/private-servers.mjs';
import { ArchivingPostgres } from '../support/archiving-postgres.js';
import { databaseKinds, databaseUrl } from '../support/database.js';
import { FlakyServer, json } from '../support/flaky-server.js';
import { ServiceProcess } from '../support/service-process.js';
import { until } from '../support/until.js';

interface CommandOutput {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

interface Execution {
  readonly id: string;
  readonly status: string;
}

/** Pause between two starts of the load. A backup takes seconds, so the load still starts some executions during it. */
const LOAD_PAUSE_MS = 20;

const run = promisify(execFile);

const ended: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).toReversed()) await end();
});

function serviceOn(environment: Readonly<Record<string, string>> = {}): ServiceProcess {
  const service = new ServiceProcess(environment);
  ended.push(() => service.dispose());
  return service;
}

/** Runs the built command-line program on the data directory of the service. */
async function cli(
  { directory }: ServiceProcess,
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<CommandOutput> {
  try {
    const { stdout, stderr } = await run(process.execPath, ['dist/src/cli/main.js', ...words], {
      env: { PATH: process.env['PATH'], DATA_DIR: directory, NODE_ENV: 'test', ...environment },
    });
    return { code: 0, out: stdout, err: stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, out: stdout, err: stderr };
  }
}

/** How to back up and restore one kind of database, as described in docs/operations.md. */
interface Recipe {
  readonly name: string;
  readonly database: () => Promise<Readonly<Record<string, string>>>;
  /**
   * Calls `moment` and makes the backup. The backup must contain all executions that the service acknowledged before
   * the call of `moment`.
   */
  readonly backup: (backup: Backup) => Promise<void>;
  readonly restore: (service: ServiceProcess, file: string, url: string) => Promise<void>;
}

interface Backup {
  readonly service: ServiceProcess;
  readonly file: string;
  readonly url: string;
  readonly moment: () => void;
  /** Resolves after the service has acknowledged more than 50 further executions. */
  readonly moreLoad: () => Promise<unknown>;
}

const SQLITE: Recipe = {
  name: 'the command line on SQLite',
  database: async () => ({}),
  backup: async ({ service, file, moment }) => {
    moment();
    const { code, out } = await cli(service, ['backup', file]);
    expect([code, out]).toEqual([0, expect.stringMatching(/executions, .* MB, checked\.$/m)]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  },
  restore: async (service, file) => {
    const { code, out } = await cli(service, ['restore', '--replace', file]);
    expect([code, out]).toEqual([0, expect.stringContaining('Restored ')]);
    expect(readdirSync(service.directory).filter((name) => name.includes('.before-'))).toHaveLength(1);
  },
};

const POSTGRES: Recipe = {
  name: 'pg_dump and pg_restore on PostgreSQL',
  database: async () => {
    const kind = (await databaseKinds()).find(({ name }) => name === 'postgres');
    if (kind === undefined) throw new Error('PostgreSQL is not available.');
    const { settings, drop } = await kind.create();
    ended.push(drop);
    return { DATABASE_URL: databaseUrl(settings) };
  },
  backup: async ({ file, url, moment }) => {
    moment();
    await run('pg_dump', ['--format=custom', `--file=${file}`, url]);
  },
  restore: async (_service, file, url) => {
    await run('pg_restore', [
      '--clean',
      '--if-exists',
      '--no-owner',
      '--exit-on-error',
      `--dbname=${url}`,
      file,
    ]);
  },
};

/** Commands from docs/operations.md: set up the archive, make a base backup, and restore the database. */
const [ARCHIVE, BASE, RESTORE] = [
  ...(readFileSync('docs/operations.md', 'utf8').split('### To any moment')[1] ?? '').matchAll(
    /^```sh\n(.*?)^```$/gms,
  ),
].map(([, commands = '']) => commands) as [string, string, string];

const programs = installedPostgres();

function pointInTime(disk: 'kept' | 'lost'): Recipe {
  let server: ArchivingPostgres | undefined;
  let target = '';
  const running = (): ArchivingPostgres => {
    if (server === undefined) throw new Error('PostgreSQL has not started.');
    return server;
  };
  return {
    name: `point-in-time recovery, old disk ${disk}`,
    database: async () => {
      const started = await ArchivingPostgres.start(programs ?? '');
      server = started;
      ended.push(async () => started.stop());
      await started.run(ARCHIVE);
      return { DATABASE_URL: started.url };
    },
    backup: async ({ moment, moreLoad }) => {
      await running().run(BASE);
      await moreLoad();
      moment();
      const [row] = await running().query('SELECT now()::text AS now');
      target = String(row?.['now']);
      await moreLoad();
    },
    restore: async () => {
      // Simulates a mistake that only a restore of an earlier state of the database can undo.
      await running().query('DELETE FROM journal');
      if (disk === 'lost') {
        const [row] = await running().query(
          'SELECT pg_walfile_name(pg_current_wal_lsn()) AS file, pg_switch_wal()',
        );
        await until('the archive of the log', async () => {
          const [last] = await running().query('SELECT last_archived_wal AS file FROM pg_stat_archiver');
          return String(last?.['file']) >= String(row?.['file']);
        });
        running().loseDisk();
      }
      await running().run(RESTORE, { TARGET: target });
    },
  };
}

const kinds = (await databaseKinds()).map(({ name }) => name);
const RECIPES = [
  { ...SQLITE, isRunnable: true },
  { ...POSTGRES, isRunnable: kinds.includes('postgres') },
  { ...pointInTime('kept'), isRunnable: programs !== undefined },
  { ...pointInTime('lost'), isRunnable: programs !== undefined },
];

describe.each(RECIPES)('$name', ({ database, backup, restore, isRunnable }) => {
  it.skipIf(!isRunnable)(
    'after a restore, executions started before the backup complete, and repeated HTTP calls have the same idempotency key',
    async () => {
      const environment = await database();
      const server = await FlakyServer.start();
      ended.push(() => server.stop());
      const effects: string[] = [];
      server.on('/effect', (request, response) => {
        effects.push(String(request.headers['idempotency-key']));
        json(response, { ok: true });
      });
      const service = serviceOn({ ...environment, EGRESS_ALLOW: server.address });
      const file = join(service.directory, 'copy');
      const url = environment['DATABASE_URL'] ?? '';
      await service.start();
      const { id } = await service.call<{ id: string }>('POST', '/v1/workflows', {
        name: 'Backed up',
        nodes: [
          { id: 'wait', type: 'delay', with: { seconds: 1 } },
          { id: 'gate', type: 'wait', needs: ['wait'], if: 'input.is_held', with: { signal: 'go' } },
          {
            id: 'effect',
            type: 'http',
            needs: ['wait', 'gate'],
            with: { method: 'POST', url: server.url('/effect') },
          },
          { id: 'end', type: 'set', needs: ['effect'], with: { value: '{{ input.n }}' } },
        ],
      });
      const start = async (input: Readonly<Record<string, unknown>>): Promise<string> =>
        (await service.call<Execution>('POST', `/v1/workflows/${id}/executions`, { input })).id;
      const signal = (execution: string): Promise<unknown> =>
        service.call('POST', `/v1/executions/${execution}/signals/go`, {});
      // These executions have their effect after the backup, because only then the test sends the signal.
      const held = [await start({ n: 0, is_held: true }), await start({ n: 0, is_held: true })];
      const acknowledged = [...held];
      let isLoaded = true;
      const load = (async () => {
        for (let n = 0; isLoaded; n += 1) {
          acknowledged.push(await start({ n, is_held: false }));
          await pause(LOAD_PAUSE_MS);
        }
      })();
      // The backup starts while some executions have ended, some wait and some run.
      await until('the first effects', () => acknowledged.length > 100 && effects.length > 20);
      const begun = acknowledged.length;
      let before: readonly string[] = [];
      await backup({
        ...{ service, file, url },
        moment: () => {
          before = [...acknowledged];
        },
        moreLoad: () => {
          const wanted = acknowledged.length + 50;
          return until('further acknowledged executions', () => acknowledged.length > wanted);
        },
      });
      const during = acknowledged.length - begun;
      // The restored database contains no record of effects after the backup, so the service repeats these effects.
      for (const execution of held) await signal(execution);
      await until('effects after the backup', () =>
        held.every((execution) => effects.includes(`${execution}:effect`)),
      );
      isLoaded = false;
      await load;
      // The service must also acknowledge start requests during the backup.
      expect(during).toBeGreaterThan(0);
      expect(before.length).toBeGreaterThan(100);

      await service.kill();
      await restore(service, file, url);
      // The command `verify` compares the restored executions with their events before the service starts.
      expect(await cli(service, ['verify'], environment)).toMatchObject({
        code: 0,
        out: expect.stringMatching(/^Checked \d{3,} executions with \d{3,} events: 0 differ\.$/m),
      });
      await service.start();
      for (const execution of held) await signal(execution);
      for (const execution of before)
        await until(`the end of ${execution}`, async () => {
          const { status } = await service.call<Execution>('GET', `/v1/executions/${execution}`);
          return status === 'completed';
        });
      const keys = new Set(effects);
      const missing = before.filter((execution) => !keys.has(`${execution}:effect`));
      expect(missing).toEqual([]);
      // Each execution has one idempotency key. A receiver that honors the key applies the effect once, even if the
      // service repeats the call.
      expect(keys.size).toBe(new Set(effects.map((key) => key.split(':')[0])).size);
      expect(effects.every((key) => /^[0-9a-f-]{36}:effect$/.test(key))).toBe(true);
      expect(effects.length).toBeGreaterThan(keys.size);
    },
    180_000,
  );
});

describe('the commands `backup` and `restore`', () => {
  let service: ServiceProcess;
  let file: string;

  beforeEach(() => {
    service = serviceOn();
    file = join(service.directory, 'copy.sqlite');
  });

  it('the commands `backup` and `restore` refuse to overwrite data, and leave no partial copy', async () => {
    await service.start();
    const first = await cli(service, ['backup', file]);
    expect(first.code).toBe(0);
    expect(await cli(service, ['backup', file])).toMatchObject({
      code: 1,
      err: expect.stringContaining('exists. Choose another file name'),
    });
    expect(await cli(service, ['restore', file])).toMatchObject({
      code: 1,
      err: expect.stringContaining('--replace'),
    });
    expect(await cli(service, ['restore', '--replace', file])).toMatchObject({
      code: 1,
      err: expect.stringContaining('is using this SQLite database'),
    });
    const missing = join(service.directory, 'no', 'folder', 'copy.sqlite');
    expect((await cli(service, ['backup', missing])).code).toBe(1);

    const wrong = join(service.directory, 'wrong.sqlite');
    const bytes = readFileSync(file);
    // The first 8,192 bytes stay intact, so that SQLite still recognizes the damaged file as a database.
    for (const [content, words] of [
      [Buffer.from('no database'), 'file is not a database'],
      [Buffer.concat([bytes.subarray(0, 8_192), Buffer.alloc(8_192), bytes.subarray(16_384)]), 'is damaged'],
    ] as const) {
      writeFileSync(wrong, content);
      expect(await cli(service, ['restore', '--replace', wrong])).toMatchObject({
        code: 1,
        err: expect.stringContaining(words),
      });
    }
    expect(existsSync(`${file}.partial`)).toBe(false);
    expect((await service.call<{ status: string }>('GET', '/health/ready')).status).toBe('ok');
  });

  it('the command `restore --replace` replaces a damaged database, and keeps its files', async () => {
    await service.start();
    expect((await cli(service, ['backup', file])).code).toBe(0);
    await service.kill();
    writeFileSync(join(service.directory, 'workflow.sqlite'), 'no database');
    expect(await cli(service, ['restore', '--replace', file])).toMatchObject({ code: 0 });
    const kept = readdirSync(service.directory).filter((name) => /\.before-.*(Z|wal)$/.test(name));
    expect(kept).toHaveLength(2);
    await service.start();
    expect((await service.call<{ status: string }>('GET', '/health/ready')).status).toBe('ok');
  });

  it('the command `restore` ignores the WAL file of a deleted database', async () => {
    await service.start();
    expect((await cli(service, ['backup', file])).code).toBe(0);
    await service.call('POST', '/v1/workflows', { name: 'After the backup', nodes: [] });
    await service.kill();
    rmSync(join(service.directory, 'workflow.sqlite'));
    expect(await cli(service, ['restore', file])).toMatchObject({ code: 0 });
    await service.start();
    const { data } = await service.call<{ data: readonly object[] }>('GET', '/v1/workflows');
    expect(data).toEqual([]);
  });

  it('the command `backup` fails for a PostgreSQL database and recommends `pg_dump`', async () => {
    const database = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' };
    expect(await cli(service, ['backup', file], database)).toMatchObject({
      code: 1,
      err: expect.stringContaining('pg_dump'),
    });
  });
});
