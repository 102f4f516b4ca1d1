import { chmodSync, copyFileSync, existsSync, linkSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseInUseError, SqliteLock } from '../database/index.js';
import { BackupError } from './backup.errors.js';
import { flush, foldLog } from './sqlite-copy.repository.js';

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
/** Endings of the files that SQLite keeps beside a database file. */
const COMPANIONS = ['-wal', '-shm'];

/**
 * Replaces a SQLite database with a backup. An existing database file is kept under another name.
 * @returns the path of the previous database; undefined if there was no database
 * @throws BackupError if a service is running on the database
 */
export async function replaceDatabase(copy: string, path: string): Promise<string | undefined> {
  mkdirSync(dirname(path), { recursive: true, mode: FOLDER_MODE });
  return withLock(path, () => putInPlace(copy, path));
}

/**
 * Calls `work` while this process holds the lock of the database file.
 * @throws BackupError if a service is running on the database
 */
async function withLock<T>(path: string, work: () => T): Promise<T> {
  const lock = await SqliteLock.take(
    path,
    () => undefined,
    // Ignores the report that another file replaced the database, because this function replaces the file
    // itself.
    () => undefined,
    0,
  ).catch((error: unknown) => {
    throw error instanceof DatabaseInUseError ? new BackupError(error.message, { cause: error }) : error;
  });
  try {
    return work();
  } finally {
    lock.release();
  }
}

/**
 * Copies the backup to the path of the database.
 * @returns the path of the previous database; undefined if there was no database
 */
function putInPlace(file: string, path: string): string | undefined {
  const arriving = `${path}.restoring`;
  try {
    copyFileSync(file, arriving);
    chmodSync(arriving, FILE_MODE);
    flush(arriving);
    const kept = existsSync(path) ? keep(path) : undefined;
    // SQLite would apply the commits in a WAL file of the previous database to the restored database.
    for (const end of COMPANIONS) rmSync(path + end, { force: true });
    renameSync(arriving, path);
    flush(dirname(path));
    return kept;
  } finally {
    rmSync(arriving, { force: true });
  }
}

/**
 * Gives the database file a second name and returns this name. The file stays at its path until the backup replaces it,
 * because after a crash without a file at the path, the service would start with an empty database.
 */
function keep(path: string): string {
  const kept = `${path}.before-${new Date().toISOString().replace(/[:.]/g, '-')}`;
  try {
    // Move the commits of the WAL file into the database file first. After a rename of the database file, SQLite would
    // no longer find the WAL file.
    foldLog(path);
  } catch {
    // SQLite cannot open a damaged database, so its WAL file is kept beside it.
    for (const end of COMPANIONS) if (existsSync(path + end)) renameSync(path + end, kept + end);
  }
  try {
    linkSync(path, kept);
  } catch {
    // The file system has no hard links.
    copyFileSync(path, kept);
    chmodSync(kept, FILE_MODE);
    flush(kept);
  }
  return kept;
}
