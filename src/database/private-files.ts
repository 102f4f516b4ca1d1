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

/** Readable and writable by this user only. */
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
/** Permissions of the group and others. */
const OTHERS = 0o077;
/** Set on folders that are shared by design, such as /tmp. */
const STICKY = 0o1000;
/** Files that hold keys. */
const KEY_FILE = /\.(?:key|pem)$/;

/**
 * Makes a SQLite file private before SQLite opens it: new folders get mode 0700 and the new file 0600, which SQLite
 * copies to its `-wal` and `-shm` files. Wider modes of existing files are corrected and logged.
 * @param ownFolder the file's folder, if it contains only files of the service; other folders are not changed
 * @throws Error of the file system, when the folder or file cannot be created
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

/** Files of the database, by their names; in the service's own folder also key files. */
function filesBeside(path: string, withKeys: boolean): readonly string[] {
  const [folder, name] = [dirname(path), basename(path)];
  return readdirSync(folder)
    .filter(
      (file) =>
        file.startsWith(`${name}-`) || file.startsWith(`${name}.`) || (withKeys && KEY_FILE.test(file)),
    )
    .map((file) => join(folder, file));
}

/** @returns what was changed, for the log */
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
