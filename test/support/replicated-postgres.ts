import { execFile } from 'node:child_process';
import { chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client, type QueryResultRow } from 'pg';
import {
  freePort,
  installedPostgres,
  postgresAnswers,
  type PrivateServer,
  QUICK_POSTGRES,
  SERVER_USER,
  startedServer,
} from '../../tools/scripts/private-servers.mjs';
import { until } from './until.js';

const run = promisify(execFile);
const STANDBY = 'standby';
/** Time limit of 60 seconds for a PostgreSQL standby to start replicating. */
const LIMIT = { limitMs: 60_000, everyMs: 50 };

type Running = Pick<PrivateServer, 'pid' | 'begin' | 'end'>;

/** One of the two PostgreSQL servers, the primary or the standby. */
class Member {
  running: Running | undefined;

  constructor(
    readonly data: string,
    readonly port: number,
  ) {}

  get url(): string {
    return `postgres://postgres@127.0.0.1:${this.port}/postgres`;
  }
}

/** A PostgreSQL primary and a standby that replicates it, both on this machine. */
export class ReplicatedPostgres {
  private primary: Member;
  private standby: Member;

  private constructor(
    private readonly programs: string,
    private readonly folder: string,
    readonly members: readonly [Member, Member],
  ) {
    [this.primary, this.standby] = members;
  }

  /** @param isSynchronous whether each commit waits until the standby has written it to disk */
  static async start({ isSynchronous }: { readonly isSynchronous: boolean }): Promise<ReplicatedPostgres> {
    const programs = installedPostgres();
    if (programs === undefined) throw new Error('PostgreSQL with pg_basebackup is not installed.');
    const folder = mkdtempSync(join(tmpdir(), 'workflow-replicated-'));
    const { uid, gid } = SERVER_USER;
    if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
    const pair = new ReplicatedPostgres(programs, folder, [
      new Member(join(folder, 'a'), await freePort()),
      new Member(join(folder, 'b'), await freePort()),
    ]);
    try {
      await pair.begin(isSynchronous);
      return pair;
    } catch (error) {
      await pair.stop();
      throw error;
    }
  }

  /** A database URL that lists both servers. Clients use the server that accepts writes. */
  get url(): string {
    const hosts = this.members.map(({ port }) => `127.0.0.1:${port}`);
    return `postgres://postgres@${hosts.join(',')}/postgres`;
  }

  /** URL of the server that is currently the primary. */
  get primaryUrl(): string {
    return this.primary.url;
  }

  get standbyUrl(): string {
    return this.standby.url;
  }

  /** Kills all processes of the primary with SIGKILL, to simulate a power failure. */
  async killPrimary(): Promise<void> {
    const { running } = this.primary;
    if (running === undefined) return;
    const children = readFileSync(`/proc/${running.pid}/task/${running.pid}/children`, 'utf8');
    const ended = running.end('SIGKILL');
    for (const child of children.trim().split(' ')) killIfAlive(Number(child));
    await ended;
    this.primary.running = undefined;
  }

  /** Stops the standby while the primary continues to run. */
  async stopStandby(): Promise<void> {
    await this.standby.running?.end('SIGINT');
  }

  async startStandby(): Promise<void> {
    await this.standby.running?.begin();
  }

  /** Makes the standby the primary. */
  async promote(): Promise<void> {
    await query(this.standby.url, 'SELECT pg_promote(true, 60)');
    [this.primary, this.standby] = [this.standby, this.primary];
  }

  /** Starts the former primary again after the promotion of the standby. Both servers then accept writes. */
  async startLeftBehind(): Promise<void> {
    this.standby.running = await this.server(this.standby);
  }

  async stop(): Promise<void> {
    for (const { running } of this.members) await running?.end('SIGQUIT');
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async begin(isSynchronous: boolean): Promise<void> {
    const { primary, standby } = this;
    await this.program('initdb', [
      ...['-D', primary.data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
    ]);
    primary.running = await this.server(primary);
    const from = `host=127.0.0.1 port=${primary.port} user=postgres application_name=${STANDBY}`;
    await this.program('pg_basebackup', [
      ...['-d', from, '-D', standby.data, '-R', '-X', 'stream', '-c', 'fast', '--no-sync'],
    ]);
    standby.running = await this.server(standby);
    await until(
      'the standby to replicate the primary',
      async () =>
        (await query(primary.url, "SELECT 1 FROM pg_stat_replication WHERE state = 'streaming'")).length > 0,
      LIMIT,
    );
    if (!isSynchronous) return;
    // Synchronous replication is configured after the standby was copied. Otherwise the standby would wait for itself
    // after its promotion.
    await query(primary.url, `ALTER SYSTEM SET synchronous_standby_names = '${STANDBY}'`);
    await query(primary.url, 'SELECT pg_reload_conf()');
    await until(
      'synchronous replication',
      async () =>
        (await query(primary.url, "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'")).length > 0,
      LIMIT,
    );
  }

  private server({ data, port, url }: Member): Promise<Running> {
    const options = [...QUICK_POSTGRES, 'listen_addresses=127.0.0.1'].flatMap((option) => ['-c', option]);
    return startedServer(
      join(this.programs, 'postgres'),
      ['-D', data, '-p', String(port), '-k', this.folder, ...options],
      { cwd: this.folder, ...SERVER_USER },
      () => postgresAnswers(url),
    );
  }

  private async program(name: string, args: readonly string[]): Promise<void> {
    await run(join(this.programs, name), [...args], { cwd: this.folder, ...SERVER_USER });
  }
}

async function query(url: string, sql: string): Promise<readonly QueryResultRow[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<QueryResultRow>(sql)).rows;
  } finally {
    await client.end();
  }
}

function killIfAlive(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has already ended because its server ended, so it need not be killed.
  }
}
