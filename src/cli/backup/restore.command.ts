import { chmodSync, copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Command } from 'commander';
import { DatabaseInUseError, SqliteLock } from '../../database/index.js';
import { readSettings } from '../../settings/index.js';
import { CommandError } from '../command-error.js';
import type { Terminal } from '../terminal.js';
import { checkCopy, flush, foldLog } from './sqlite-copy.repository.js';
import { sqlitePlace } from './sqlite-place.js';

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

interface Options {
  readonly replace?: true;
}

/** `restore`: replaces the SQLite database with a backup. */
export function defineRestoreCommand(command: Command, terminal: Terminal): void {
  command
    .argument('<file>', 'a file written by "backup"')
    .option('--replace', 'replace an existing database; it is kept under another name')
    .action(async (file: string, { replace }: Options) => {
      const path = sqlitePlace(readSettings(terminal.environment()));
      const { executions } = checkCopy(file);
      if (existsSync(path) && replace !== true)
        throw new CommandError(
          `${path} exists. Use --replace to replace it; the existing database is kept under another name.`,
        );
      mkdirSync(dirname(path), { recursive: true, mode: FOLDER_MODE });
      const kept = await withLock(path, () => putInPlace(file, path));
      terminal.out(`Restored ${executions} executions to ${path}.\n`);
      if (kept !== undefined) terminal.err(`The previous database is now ${kept}.\n`);
      terminal.err(
        'Unfinished executions continue from their state in the backup: nodes that ran after the backup run again.\n',
      );
    });
}

/**
 * Runs work while this process has the lock of the database file.
 * @throws CommandError if a service is running on the database
 */
async function withLock<T>(path: string, work: () => T): Promise<T> {
  const lock = await SqliteLock.take(
    path,
    () => undefined,
    // The loss of the lock is ignored, because `restore` itself replaces the locked file.
    () => undefined,
    0,
  ).catch((error: unknown) => {
    throw error instanceof DatabaseInUseError ? new CommandError(error.message, { cause: error }) : error;
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
