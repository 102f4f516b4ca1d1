import { parentPort, workerData } from 'node:worker_threads';
import BetterSqlite from 'better-sqlite3';
import { prepareReader } from '../../database/sqlite-connection.ts';

/** One statement that only reads. */
export interface ReadRequest {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** @property code as SQLite names it */
export type ReadOutcome =
  { readonly rows: readonly unknown[] } | { readonly message: string; readonly code: string | null };

/**
 * The thread of long reads: a `ReadRequest` in, its `ReadOutcome` out. Loaded by Node.js itself, as the sources are or
 * built, so it and what it imports have erasable TypeScript only and name each other by `.ts`.
 */
const database = new BetterSqlite(String(workerData), { readonly: true });
prepareReader(database);

parentPort?.on('message', ({ sql, parameters }: ReadRequest) =>
  parentPort?.postMessage(outcomeOf(sql, parameters)),
);

function outcomeOf(sql: string, parameters: readonly unknown[]): ReadOutcome {
  try {
    return { rows: database.prepare(sql).all(...parameters) };
  } catch (error) {
    const { code = null } = error as { readonly code?: string };
    return { message: error instanceof Error ? error.message : String(error), code };
  }
}
