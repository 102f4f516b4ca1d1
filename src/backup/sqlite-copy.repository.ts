import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { prepareReader } from '../database/index.js';
import { BackupError } from './backup.errors.js';

/**
 * File mode of a backup. A backup contains password hashes, key hashes and the data of all projects, so only the user
 * of this process may read it.
 */
const PRIVATE_MODE = 0o600;

/** Number of executions in a backup, and size of the file in bytes. */
export interface CopyFigures {
  readonly executions: number;
  readonly bytes: number;
}

/**
 * Writes a backup of a SQLite database, while the service may keep writing to the database. The backup gets its final
 * name only after it is complete, verified and flushed to disk.
 * @throws BackupError when the target exists, the source cannot be read, or the copy is corrupt
 */
export function writeCopy(source: string, target: string): CopyFigures {
  if (existsSync(target))
    throw new BackupError(`The file ${target} already exists. Choose another file name.`);
  const partial = `${target}.partial`;
  try {
    rmSync(partial, { force: true });
    closeSync(openSync(partial, 'wx', PRIVATE_MODE));
    const database = open(source);
    try {
      // `VACUUM INTO` reads one snapshot, so it does not block writers. Commits after its start are not in the backup.
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
 * Verifies a backup by reading every page of the file.
 * @throws BackupError if the backup is not a database of this service, or is corrupt
 */
export function checkCopy(path: string): CopyFigures {
  const database = open(path);
  try {
    const faults = database.prepare<[], string>('PRAGMA integrity_check(3)').pluck().all();
    if (faults.join() !== 'ok') throw new BackupError(`The backup ${path} is corrupt: ${faults.join('; ')}.`);
    if (database.prepare('PRAGMA foreign_key_check').all().length > 0)
      throw new BackupError(`The backup ${path} is corrupt: some foreign keys refer to missing rows.`);
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

/**
 * Moves all commits from the WAL file of a SQLite database into the database file. No other process may use the
 * database.
 */
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
