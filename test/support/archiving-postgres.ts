import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { freePort, SERVER_USER } from '../../tools/scripts/private-servers.mjs';

/** A PostgreSQL server on which a test runs the shell commands of the documentation about backups. */
export class ArchivingPostgres {
  private readonly folder = mkdtempSync(join(tmpdir(), 'workflow-archive-'));
  private readonly data = join(this.folder, 'data');
  private readonly environment: NodeJS.ProcessEnv;

  private constructor(programs: string, port: number) {
    const backups = join(this.folder, 'backups');
    mkdirSync(backups);
    const { uid, gid } = SERVER_USER;
    if (uid !== undefined && gid !== undefined)
      for (const path of [this.folder, backups]) chownSync(path, uid, gid);
    chmodSync(this.folder, 0o700);
    this.environment = {
      PATH: `${programs}:${process.env['PATH'] ?? ''}`,
      HOME: this.folder,
      PGDATA: this.data,
      BACKUPS: backups,
      PGHOST: this.folder,
      PGPORT: String(port),
      PGUSER: 'postgres',
    };
  }

  /** @throws Error with the output of PostgreSQL if the server does not start */
  static async start(programs: string): Promise<ArchivingPostgres> {
    const port = await freePort();
    const server = new ArchivingPostgres(programs, port);
    try {
      await server.run(`
        initdb -D "$PGDATA" -U postgres -A trust -E UTF8 --locale=C --no-sync
        cat >> "$PGDATA/postgresql.conf" <<END
        listen_addresses = '127.0.0.1'
        port = ${port}
        unix_socket_directories = '${server.folder}'
END
        pg_ctl -D "$PGDATA" -w -l "$BACKUPS/postgres.log" start`);
    } catch (error) {
      server.stop();
      throw error;
    }
    return server;
  }

  get url(): string {
    return `postgres://postgres@127.0.0.1:${this.environment['PGPORT']}/postgres`;
  }

  /** Runs shell commands as the user of the PostgreSQL server. @throws Error with the output if a command fails */
  async run(commands: string, more: Readonly<Record<string, string>> = {}): Promise<void> {
    const child = spawn('sh', ['-euc', commands], {
      env: { ...this.environment, ...more },
      cwd: this.folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...SERVER_USER,
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    // `pg_ctl` makes the server write its output to a file, so the server does not keep the output streams of the
    // commands open.
    const code = await new Promise((resolve) => child.once('exit', resolve));
    if (code !== 0)
      throw new Error(`The commands ended with the exit code ${String(code)}:\n${commands}\n${output}`);
  }

  async query(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
    const client = new Client({ connectionString: this.url });
    await client.connect();
    try {
      return (await client.query<Readonly<Record<string, unknown>>>(sql)).rows;
    } finally {
      await client.end();
    }
  }

  /** Stops the PostgreSQL server and deletes its data, but not its backups. */
  loseDisk(): void {
    this.end();
    rmSync(this.data, { recursive: true, force: true });
  }

  stop(): void {
    this.end();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private end(): void {
    spawnSync('pg_ctl', ['-D', this.data, '-m', 'immediate', '-w', 'stop'], {
      env: this.environment,
      cwd: this.folder,
      ...SERVER_USER,
    });
  }
}
