import { parentPort, workerData } from 'node:worker_threads';
import BetterSqlite from 'better-sqlite3';
import { collectStartupGarbage } from '../../platform/startup-garbage.ts';
import { type CommitRequest, SqliteCommits, type UnitOutcome } from './sqlite-commits.ts';
import { prepareSqlite } from '../../database/sqlite-connection.ts';
import { cutFreePages } from './sqlite-pages.ts';

/**
 * A request to the commit thread: units of work to commit, `cut` to return free pages to the disk, or `end` to end the
 * thread.
 */
export type WriteRequest = CommitRequest | 'cut' | 'end';

/**
 * Response of the commit thread to `cut`: the number of bytes that further requests can return to the disk, or the
 * error.
 */
export type CutOutcome =
  { readonly left: number } | { readonly message: string; readonly code: string | null };

/**
 * Response of the commit thread to a commit: the outcome of each unit, and the duration of the disk flush in
 * milliseconds.
 */
export interface CommitOutcome {
  readonly units: readonly UnitOutcome[];
  readonly flushedInMs: number;
}

export type WriteAnswer = CommitOutcome | CutOutcome;

/**
 * Program of the thread that commits to SQLite. Node.js loads this file directly, so the file and its imports must use
 * erasable TypeScript and `.ts` import paths.
 */
const database = new BetterSqlite(String(workerData));
prepareSqlite(database);
const commits = new SqliteCommits(database);

parentPort?.on('message', (request: WriteRequest) => {
  if (request !== 'end') {
    parentPort?.postMessage(answerTo(request));
    return;
  }
  database.close();
  parentPort?.close();
});

function answerTo(request: CommitRequest | 'cut'): WriteAnswer {
  if (request === 'cut') return cut();
  const units = commits.commit(request);
  return { units, flushedInMs: commits.flushedInMs };
}

function cut(): CutOutcome {
  try {
    return { left: cutFreePages(database) };
  } catch (error) {
    const { code = null } = error as { readonly code?: string };
    return { message: error instanceof Error ? error.message : String(error), code };
  }
}

// The garbage collection after startup waits one second, because the service is probably idle by then. Most
// CLI commands end earlier and skip the collection.
setTimeout(() => void collectStartupGarbage(), 1_000).unref();
