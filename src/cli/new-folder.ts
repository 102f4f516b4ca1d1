import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { InvalidArgumentError } from 'commander';
import type { Files } from '../scaffolds/index.js';
import { CommandError } from './command-error.js';
import type { Terminal } from './terminal.js';

/**
 * Creates a folder with the given files, and prints the path of each file.
 * @throws CommandError if the folder exists or cannot be written
 */
export function writeNewFolder(folder: string, files: Files, terminal: Terminal): void {
  if (existsSync(folder))
    throw new CommandError(`The folder ${folder} already exists. Choose another name or another --dir.`);
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text, { flag: 'wx' });
    }
  } catch (error) {
    throw new CommandError(
      `The folder ${folder} cannot be written: ${error instanceof Error ? error.message : String(error)}.`,
      { cause: error },
    );
  }
  for (const path of Object.keys(files).toSorted()) terminal.out(`${join(folder, path)}\n`);
}

/** Returns the root folder of the service: the nearest parent folder of this module that contains a package.json. */
export function serviceRoot(from = dirname(fileURLToPath(import.meta.url))): string {
  return existsSync(join(from, 'package.json')) ? from : serviceRoot(dirname(from));
}

/**
 * Returns the working directory of the user. npm runs scripts in the folder of the package, and stores the user's
 * directory in the environment variable `INIT_CWD`.
 */
export function invokedFrom({ environment }: Terminal): string {
  return environment()['INIT_CWD'] ?? process.cwd();
}

/**
 * Validates the path in a command-line option.
 * @throws InvalidArgumentError if the path is empty
 */
export function readDirectory(path: string): string {
  if (path.trim() !== '') return path;
  throw new InvalidArgumentError('The path of the folder must not be empty.');
}
