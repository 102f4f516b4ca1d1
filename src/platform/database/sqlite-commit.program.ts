import { parentPort, workerData } from 'node:worker_threads';
import BetterSqlite from 'better-sqlite3';
import { collectStartupGarbage } from '../startup-garbage.ts';
import { type CommitRequest, SqliteCommits } from './sqlite-commits.ts';
import { prepareSqlite } from './sqlite-connection.ts';

/**
 * The thread that commits: a `CommitRequest` in, the outcomes of its units out; null ends it. Loaded by Node.js itself,
 * as the sources are or built, so it and what it imports have erasable TypeScript only and name each other by `.ts`.
 */
const database = new BetterSqlite(String(workerData));
prepareSqlite(database);
const commits = new SqliteCommits(database);

parentPort?.on('message', (request: CommitRequest | null) => {
  if (request !== null) {
    parentPort?.postMessage(commits.commit(request));
    return;
  }
  database.close();
  parentPort?.close();
});

// Once the service is likely to have come to rest; a command has ended by then.
setTimeout(() => void collectStartupGarbage(), 1_000).unref();
