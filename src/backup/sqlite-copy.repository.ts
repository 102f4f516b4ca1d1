import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { prepareReader } from '../database/index.js';
import { BackupError } from './backup.errors.js';

/**
 * Only the user of this process may read the copy, because it contains password hashes, key hashes and the data of all
 * projects.
 */
const PRIVATE_MODE = 0o600;

/** Numbers that describe a complete copy of the database. */
export interface CopyFigures {
  readonly executions: number;
  readonly bytes: number;
}

/**
 * Writes a snapshot of a SQLite database, while the service may keep writing to it. The copy gets its final name only
 * after it is complete, verified and flushed to disk.
 * @throws BackupError when the target exists, the source cannot be read, or the copy is corrupt
 */
export function writeCopy(source: string, target: string): CopyFigures {
  if (existsSync(target)) throw new BackupError(`${target} exists. Choose another file name.`);
  const partial = `${target}.partial`;
  try {
    rmSync(partial, { force: true });
    closeSync(openSync(partial, 'wx', PRIVATE_MODE));
    const database = open(source);
    try {
      // `VACUUM INTO` reads in one transaction, so it does not block writers, and the copy excludes later commits.
      database.prepare('VACUUM INTO ?').run(partial);
    } finally {
      database.close();
    }
    const figures = checkCopy(partial);
    flush(partial);
    renameSync(partial, target);
    flush(dirname(target));
    return figures;
  } catch (error) {
    rmSync(partial, { force: true });
    throw error instanceof BackupError ? error : failure(`${source} cannot be copied to ${target}`, error);
  }
}

/**
 * Verifies a copy by reading every page.
 * @throws BackupError if the copy is not a database of this service, or is corrupt
 */
export function checkCopy(path: string): CopyFigures {
  const database = open(path);
  try {
    const faults = database.prepare<[], string>('PRAGMA integrity_check(3)').pluck().all();
    if (faults.join() !== 'ok') throw new BackupError(`${path} is damaged: ${faults.join('; ')}.`);
    if (database.prepare('PRAGMA foreign_key_check').all().length > 0)
      throw new BackupError(`${path} is damaged: rows refer to missing rows.`);
    const executions = database.prepare<[], number>('SELECT count(*) FROM executions').pluck().get() ?? 0;
    return { executions, bytes: statSync(path).size };
  } catch (error) {
    if (error instanceof BackupError) throw error;
    throw failure(
      `${path} is ${isCorruption(error) ? 'damaged' : 'not a database of Workflow Service'}`,
      error,
    );
  } finally {
    database.close();
  }
}

/** Writes the write-ahead log of an unused database into its main file. */
export function foldLog(path: string): void {
  const database = new BetterSqlite(path);
  try {
    database.pragma('wal_checkpoint(TRUNCATE)');
  } finally {
    database.close();
  }
}

/** Flushes a file or folder to disk (fsync). */
export function flush(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function isCorruption(error: unknown): boolean {
  return error instanceof BetterSqlite.SqliteError && error.code.startsWith('SQLITE_CORRUPT');
}

function open(path: string): BetterSqlite.Database {
  try {
    const database = new BetterSqlite(path, { readonly: true, fileMustExist: true });
    prepareReader(database);
    return database;
  } catch (error) {
    throw failure(`${path} cannot be read`, error);
  }
}

function failure(what: string, cause: unknown): BackupError {
  return new BackupError(`${what}: ${cause instanceof Error ? cause.message : String(cause)}.`, { cause });
}
