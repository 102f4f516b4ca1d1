/**
 * Finds PostgreSQL and Redis servers for tests: in environment variables, or on this machine. If there is no Redis server,
 * starts a temporary one. For PostgreSQL, a temporary server is preferred to a running one if the programs are installed.
 */
import {
  installedPostgres,
  postgresAnswers,
  privatePostgres,
  privateRedis,
  QUICK_POSTGRES,
  QUICK_REDIS,
  redisAnswers,
} from './private-servers.mjs';

/** @typedef {{ url: string, from: string, stop: () => Promise<void> }} Server `from` says how it was found */

const LOCAL_POSTGRES = 'postgres://postgres@127.0.0.1:5432/postgres';
const LOCAL_REDIS_PORT = 6379;
/** Without autovacuum, because the databases of tests are small and short-lived. */
const POSTGRES_OPTIONS = [...QUICK_POSTGRES, 'autovacuum=off'];

/**
 * @returns {Promise<Server>}
 * @throws Error that says why no server is available
 */
export async function postgresServer() {
  const named = process.env.TEST_POSTGRES_URL;
  if (named) return { url: named, from: 'TEST_POSTGRES_URL', stop: async () => {} };
  const installed = installedPostgres();
  // The tests create hundreds of databases. A private server is faster than the running one: it stores them in `TMPDIR`,
  // which is in memory if possible, and it does not wait for the disk.
  if (installed === undefined && (await postgresAnswers(LOCAL_POSTGRES)))
    return { url: LOCAL_POSTGRES, from: 'this machine', stop: async () => {} };
  return {
    ...(await unlessNamed('TEST_POSTGRES_URL', privatePostgres(POSTGRES_OPTIONS, installed))),
    from: `a private server${installed === undefined ? '' : ` with the programs in ${installed}`}`,
  };
}

/**
 * @returns {Promise<Server>}
 * @throws Error that says why no server is available
 */
export async function redisServer() {
  const named = process.env.TEST_REDIS_URL;
  if (named) return { url: named, from: 'TEST_REDIS_URL', stop: async () => {} };
  if (await redisAnswers(LOCAL_REDIS_PORT))
    return { url: `redis://127.0.0.1:${LOCAL_REDIS_PORT}`, from: 'this machine', stop: async () => {} };
  return { ...(await unlessNamed('TEST_REDIS_URL', privateRedis(QUICK_REDIS))), from: 'a private server' };
}

async function unlessNamed(setting, server) {
  try {
    return await server;
  } catch (error) {
    throw new Error(`${setting} is not set, and ${error.message}`, { cause: error });
  }
}
