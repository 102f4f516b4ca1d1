import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { InvalidArgumentError } from 'commander';
import { CommandError } from './command-error.js';
import type { Terminal } from './terminal.js';

/** File contents by path relative to a folder. */
export type Files = Readonly<Record<string, string>>;

/**
 * Writes a new folder and prints the path of each file.
 * @throws CommandError when the folder exists or cannot be written
 */
export function writeNewFolder(folder: string, files: Files, terminal: Terminal): void {
  if (existsSync(folder))
    throw new CommandError(`${folder} is there already; choose another name, or another --dir.`);
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text, { flag: 'wx' });
    }
  } catch (error) {
    throw new CommandError(
      `${folder} cannot be written: ${error instanceof Error ? error.message : String(error)}.`,
      { cause: error },
    );
  }
  for (const path of Object.keys(files).toSorted()) terminal.out(`${join(folder, path)}\n`);
}

/** The folder of the service's own package.json. Works for both sources and compiled code. */
export function serviceRoot(from = dirname(fileURLToPath(import.meta.url))): string {
  return existsSync(join(from, 'package.json')) ? from : serviceRoot(dirname(from));
}

/** The caller's working directory, since npm runs scripts in the package's folder. */
export function invokedFrom({ environment }: Terminal): string {
  return environment()['INIT_CWD'] ?? process.cwd();
}

/** @throws InvalidArgumentError for an empty path */
export function readDirectory(path: string): string {
  if (path.trim() !== '') return path;
  throw new InvalidArgumentError('It must name a folder.');
}
