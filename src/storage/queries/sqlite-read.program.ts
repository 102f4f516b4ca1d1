import { parentPort, workerData } from 'node:worker_threads';
import BetterSqlite from 'better-sqlite3';
import { prepareReader } from '../../database/sqlite-connection.ts';

export interface ReadRequest {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** @property code the SQLite result code */
export type ReadOutcome =
  { readonly rows: readonly unknown[] } | { readonly message: string; readonly code: string | null };

/**
 * Program of the thread for slow queries. Node.js loads this file directly, so the file and its imports must use
 * erasable TypeScript and `.ts` import paths.
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
