import {
  chmodSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  type Stats,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Logger } from '@nestjs/common';

/** Read and changed by this user alone. */
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
/** What the owner's group and everybody else may do. */
const OTHERS = 0o077;
/** Set on folders that are shared by design, such as /tmp. */
const STICKY = 0o1000;
/** Files that hold keys. */
const KEY_FILE = /\.(?:key|pem)$/;

/**
 * Makes the place of a SQLite file private, before SQLite opens it: new folders have the mode 0700 and the new file
 * 0600, which SQLite gives its `-wal` and `-shm`, too. What exists with a wider mode is mended, and the log says so.
 * @param ownFolder the folder of the file, where it holds nothing but the service's own files; any other is left alone
 * @throws Error of the file system, when the folder or the file cannot be made
 */
export function makePrivate(path: string, ownFolder: string | undefined): void {
  makeDirectory(dirname(path));
  closeSync(openSync(path, 'a', FILE_MODE));
  // Windows has no such modes.
  if (process.platform === 'win32') return;
  const mended = [
    ...(ownFolder === undefined ? [] : mend(ownFolder, statSync(ownFolder), FOLDER_MODE)),
    ...mend(path, statSync(path), FILE_MODE),
    ...filesBeside(path, ownFolder !== undefined).flatMap((file) => mend(file, lstatSync(file), FILE_MODE)),
  ];
  if (mended.length > 0)
    logger.warn(`Other users of this machine had access. Now they have none: ${mended.join(', ')}.`);
}

const logger = new Logger('PrivateFiles');

/** Not `recursive`: below /proc that never returns. */
function makeDirectory(path: string): void {
  if (existsSync(path)) return;
  makeDirectory(dirname(path));
  mkdirSync(path, FOLDER_MODE);
}

/** Files that belong to the database, by their names; in a folder of the service's own also keys. */
function filesBeside(path: string, withKeys: boolean): readonly string[] {
  const [folder, name] = [dirname(path), basename(path)];
  return readdirSync(folder)
    .filter(
      (file) =>
        file.startsWith(`${name}-`) || file.startsWith(`${name}.`) || (withKeys && KEY_FILE.test(file)),
    )
    .map((file) => join(folder, file));
}

/** @returns what was done, for the log */
function mend(path: string, stats: Stats, mode: number): readonly string[] {
  const isExpected = mode === FOLDER_MODE ? stats.isDirectory() : stats.isFile();
  if (!isExpected || (stats.mode & OTHERS) === 0) return [];
  const before = (stats.mode & 0o7777).toString(8).padStart(4, '0');
  if ((stats.mode & STICKY) !== 0) {
    logger.warn(`${path} (${before}) is a shared folder. Set DATA_DIR to a folder of the service's own.`);
    return [];
  }
  try {
    chmodSync(path, mode);
    return [`${path} (${before}, now ${mode.toString(8).padStart(4, '0')})`];
  } catch (error) {
    logger.warn({
      err: error,
      msg: `${path} (${before}) is open to other users of this machine, and its mode cannot be changed.`,
    });
    return [];
  }
}
