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

/** `restore`: puts a backup in the place of the embedded database. */
export function defineRestoreCommand(command: Command, terminal: Terminal): void {
  command
    .argument('<file>', 'a file that "backup" wrote')
    .option('--replace', 'where a database is there already; it is kept beside under another name')
    .action(async (file: string, { replace }: Options) => {
      const path = sqlitePlace(readSettings(terminal.environment()));
      const { executions } = checkCopy(file);
      if (existsSync(path) && replace !== true)
        throw new CommandError(
          `${path} is there already. With --replace it is kept beside under another name.`,
        );
      mkdirSync(dirname(path), { recursive: true, mode: FOLDER_MODE });
      const kept = await withLock(path, () => putInPlace(file, path));
      terminal.out(`Restored ${executions} executions to ${path}.\n`);
      if (kept !== undefined) terminal.err(`The database that was there is now ${kept}.\n`);
      terminal.err(
        'Executions that were under way when the backup was made go on from there: nodes that ran since run again.\n',
      );
    });
}

/** @throws CommandError where a service runs on the database */
async function withLock<T>(path: string, work: () => T): Promise<T> {
  const lock = await SqliteLock.take(
    path,
    () => undefined,
    // The file is replaced, as it should be.
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

/** @returns where the database that was there is kept */
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

/** Renames a database with all that its log holds. */
function setAside(path: string): string {
  // Else what was committed last would stay in a log that belongs to nothing.
  foldLog(path);
  const kept = `${path}.before-${new Date().toISOString().replace(/[:.]/g, '-')}`;
  renameSync(path, kept);
  for (const end of ['-wal', '-shm']) rmSync(path + end, { force: true });
  return kept;
}
