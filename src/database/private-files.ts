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

/** File modes that give access only to the user of this process. */
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
/** Permission bits of the file's group and of all other users. */
const GROUP_AND_OTHER_BITS = 0o077;
/** Sticky bit, which marks folders that several users share, such as /tmp. */
const STICKY = 0o1000;
const KEY_FILE = /\.(?:key|pem)$/;

/**
 * Makes a SQLite file and the files next to it accessible only to the user of this process. Must be called before
 * SQLite opens the file, because new `-wal` and `-shm` files get the mode of the database file. Logs each corrected
 * mode of an existing file.
 * @param ownFolder folder of the file, if it contains only files of the service; undefined leaves the mode of the
 *   folder unchanged
 * @throws Error of the file system if the folder or file cannot be created
 */
export function makePrivate(path: string, ownFolder: string | undefined): void {
  makeDirectory(dirname(path));
  closeSync(openSync(path, 'a', FILE_MODE));
  // Windows has no permission bits for groups and other users.
  if (process.platform === 'win32') return;
  const mended = [
    ...(ownFolder === undefined ? [] : mend(ownFolder, statSync(ownFolder), FOLDER_MODE)),
    ...mend(path, statSync(path), FILE_MODE),
    ...filesBeside(path, ownFolder !== undefined).flatMap((file) => mend(file, lstatSync(file), FILE_MODE)),
  ];
  if (mended.length > 0)
    logger.warn(
      `These paths were accessible to other users of this machine. Their access was removed: ${mended.join(', ')}.`,
    );
}

const logger = new Logger('PrivateFiles');

/**
 * Creates a folder and its missing parents, one by one. `mkdir` with `recursive` never returns for a path below /proc.
 */
function makeDirectory(path: string): void {
  if (existsSync(path)) return;
  makeDirectory(dirname(path));
  mkdirSync(path, FOLDER_MODE);
}

/**
 * Returns the files next to the database file whose names start with its name, such as its `-wal` and `-shm` files.
 * With `withKeys`, also returns the `.key` and `.pem` files in the same folder.
 */
function filesBeside(path: string, withKeys: boolean): readonly string[] {
  const [folder, name] = [dirname(path), basename(path)];
  return readdirSync(folder)
    .filter(
      (file) =>
        file.startsWith(`${name}-`) || file.startsWith(`${name}.`) || (withKeys && KEY_FILE.test(file)),
    )
    .map((file) => join(folder, file));
}

/**
 * Removes the permissions of the group and of other users from a file or folder.
 * @returns a description of each change, for the log
 */
function mend(path: string, stats: Stats, mode: number): readonly string[] {
  const isExpected = mode === FOLDER_MODE ? stats.isDirectory() : stats.isFile();
  if (!isExpected || (stats.mode & GROUP_AND_OTHER_BITS) === 0) return [];
  const before = (stats.mode & 0o7777).toString(8).padStart(4, '0');
  if ((stats.mode & STICKY) !== 0) {
    logger.warn(
      `${path} (${before}) is a shared folder. Set DATA_DIR to a folder that only the service uses.`,
    );
    return [];
  }
  try {
    chmodSync(path, mode);
    return [`${path} (${before}, now ${mode.toString(8).padStart(4, '0')})`];
  } catch (error) {
    logger.warn({
      err: error,
      msg: `${path} (${before}) is accessible to other users of this machine, and its mode cannot be changed.`,
    });
    return [];
  }
}
