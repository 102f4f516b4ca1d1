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

/** Modes of folders and files that only the user of this process may read and write. */
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
/** Permission bits of the group and others. */
const OTHERS = 0o077;
/** Mode bit of shared folders, such as /tmp. */
const STICKY = 0o1000;
const KEY_FILE = /\.(?:key|pem)$/;

/**
 * Makes a SQLite file private before SQLite opens it, because the `-wal` and `-shm` files inherit
 * its mode. Corrections of existing files are logged.
 * @param ownFolder folder of the file, if it contains only files of the service; other folders are
 * not changed
 * @throws Error of the file system if the folder or file cannot be created
 */
export function makePrivate(path: string, ownFolder: string | undefined): void {
  makeDirectory(dirname(path));
  closeSync(openSync(path, 'a', FILE_MODE));
  // Windows has no permission bits of the group and others, so there is nothing to correct.
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
 * Creates folders one by one, because `mkdir` with `recursive` never returns for a path below
 * /proc.
 */
function makeDirectory(path: string): void {
  if (existsSync(path)) return;
  makeDirectory(dirname(path));
  mkdirSync(path, FOLDER_MODE);
}

/**
 * Returns the files whose names start with the database's name, such as SQLite's `-wal` and `-shm`
 * files. `withKeys` adds the key files in the folder.
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
 * Removes permissions of the group and others.
 * @returns a description of each change, for the log
 */
function mend(path: string, stats: Stats, mode: number): readonly string[] {
  const isExpected = mode === FOLDER_MODE ? stats.isDirectory() : stats.isFile();
  if (!isExpected || (stats.mode & OTHERS) === 0) return [];
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
