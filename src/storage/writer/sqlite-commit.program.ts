import { parentPort, workerData } from 'node:worker_threads';
import BetterSqlite from 'better-sqlite3';
import { collectStartupGarbage } from '../../platform/startup-garbage.ts';
import { type CommitRequest, SqliteCommits, type UnitOutcome } from './sqlite-commits.ts';
import { prepareSqlite } from '../../database/sqlite-connection.ts';
import { cutFreePages } from './sqlite-pages.ts';

/** A commit; free pages that are to be cut off the file; the end of the thread. */
export type WriteRequest = CommitRequest | 'cut' | 'end';

/** Of a cut: bytes that are left to cut off, or why none was. */
export type CutOutcome =
  { readonly left: number } | { readonly message: string; readonly code: string | null };

/** Of a commit: the outcomes of its units, and the milliseconds that the disk took. */
export interface CommitOutcome {
  readonly units: readonly UnitOutcome[];
  readonly flushedInMs: number;
}

export type WriteAnswer = CommitOutcome | CutOutcome;

/**
 * The thread that writes: a `WriteRequest` in, its `WriteAnswer` out, in their order. Loaded by Node.js itself, as the
 * sources are or built, so it and what it imports have erasable TypeScript only and name each other by `.ts`.
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

// Once the service is likely to have come to rest; a command has ended by then.
setTimeout(() => void collectStartupGarbage(), 1_000).unref();
