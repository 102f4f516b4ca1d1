import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  freePort,
  postgresAnswers,
  SERVER_USER,
  startedServer,
} from '../../tools/scripts/private-servers.mjs';

/** Path of the program PgBouncer. Debian installs it in a directory that is not in the `PATH` of most users. */
const PROGRAM = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/usr/local/bin/pgbouncer'].find((path) =>
  existsSync(path),
);

/** Returns whether PgBouncer is installed. The Debian package is `pgbouncer`. */
export function hasPgBouncer(): boolean {
  return PROGRAM !== undefined;
}

export interface PgBouncerOptions {
  readonly mode: 'session' | 'transaction';
  /** Maximum number of connections from PgBouncer to PostgreSQL. */
  readonly poolSize: number;
  /**
   * Startup parameters that PgBouncer ignores if a client sends them. PgBouncer refuses connections with
   * other unknown parameters.
   */
  readonly ignored?: readonly string[];
}

/** A PgBouncer process that pools the connections to one database. */
export class PgBouncer {
  private constructor(
    /** URL of the database through PgBouncer. */
    readonly url: string,
    readonly stop: () => Promise<void>,
  ) {}

  /** @param databaseUrl URL that leads to the database without PgBouncer */
  static async start(databaseUrl: string, options: PgBouncerOptions): Promise<PgBouncer> {
    if (PROGRAM === undefined) throw new Error('PgBouncer is not installed.');
    const folder = mkdtempSync(join(tmpdir(), 'workflow-pgbouncer-'));
    const remove = (): void => rmSync(folder, { recursive: true, force: true });
    try {
      const port = await freePort();
      const file = join(folder, 'pgbouncer.ini');
      writeFileSync(file, configuration(new URL(databaseUrl), port, options), { mode: 0o600 });
      const { uid, gid } = SERVER_USER;
      if (uid !== undefined && gid !== undefined)
        for (const path of [folder, file]) chownSync(path, uid, gid);
      const name = new URL(databaseUrl).pathname.slice(1);
      const url = `postgres://anybody@127.0.0.1:${port}/${name}`;
      const server = await startedServer(PROGRAM, ['-q', file], { cwd: folder, ...SERVER_USER }, () =>
        postgresAnswers(url),
      );
      return new PgBouncer(url, async () => {
        await server.end('SIGQUIT');
        remove();
      });
    } catch (error) {
      remove();
      throw error;
    }
  }
}

function configuration(
  { hostname, port: behind, username, password, pathname }: URL,
  port: number,
  { mode, poolSize, ignored = [] }: PgBouncerOptions,
): string {
  const name = pathname.slice(1);
  const secret = password === '' ? '' : ` password='${decodeURIComponent(password)}'`;
  return [
    '[databases]',
    `${name} = host=${hostname} port=${behind === '' ? '5432' : behind} dbname=${name} user=${decodeURIComponent(username)}${secret}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    `pool_mode = ${mode}`,
    `default_pool_size = ${poolSize}`,
    'max_client_conn = 200',
    ...(ignored.length === 0 ? [] : [`ignore_startup_parameters = ${ignored.join(',')}`]),
    '',
  ].join('\n');
}
