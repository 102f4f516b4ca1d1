import { chmodSync, copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseInUseError, SqliteLock } from '../database/index.js';
import { BackupError } from './backup.errors.js';
import { flush, foldLog } from './sqlite-copy.repository.js';

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

/**
 * Replaces a SQLite database with a copy. Renames an existing database.
 * @returns the new path of the existing database; undefined if there was none
 * @throws BackupError if a service is running on the database
 */
export async function replaceDatabase(copy: string, path: string): Promise<string | undefined> {
  mkdirSync(dirname(path), { recursive: true, mode: FOLDER_MODE });
  return withLock(path, () => putInPlace(copy, path));
}

/**
 * Runs work while this process has the lock of the database file.
 * @throws BackupError if a service is running on the database
 */
async function withLock<T>(path: string, work: () => T): Promise<T> {
  const lock = await SqliteLock.take(
    path,
    () => undefined,
    // The loss of the lock is ignored, because `restore` itself replaces the locked file.
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
 * Moves the backup to the path of the database.
 * @returns the path to which the previous database was renamed; undefined if there was none
 */
function putInPlace(file: string, path: string): string | undefined {
  const arriving = `${path}.restoring`;
  copyFileSync(file, arriving);
  chmodSync(arriving, FILE_MODE);
  flush(arriving);
  const kept = existsSync(path) ? setAside(path) : undefined;
  renameSync(arriving, path);
  flush(dirname(path));
  return kept;
}

/** Renames the database file and returns its new path. */
function setAside(path: string): string {
  // The latest commits may be only in the WAL file, which belongs to the old name of the database file.
  foldLog(path);
  const kept = `${path}.before-${new Date().toISOString().replace(/[:.]/g, '-')}`;
  renameSync(path, kept);
  for (const end of ['-wal', '-shm']) rmSync(path + end, { force: true });
  return kept;
}
