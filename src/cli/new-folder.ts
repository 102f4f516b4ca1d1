import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { InvalidArgumentError } from 'commander';
import { CommandError } from './command-error.js';
import type { Terminal } from './terminal.js';

/** Contents by path below a folder. */
export type Files = Readonly<Record<string, string>>;

/**
 * Writes a folder that was not there, and prints the path of each file.
 * @throws CommandError where it is there already, or cannot be written
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

/** The folder of the service's own package.json, above this file, built or not. */
export function serviceRoot(from = dirname(fileURLToPath(import.meta.url))): string {
  return existsSync(join(from, 'package.json')) ? from : serviceRoot(dirname(from));
}

/** The working directory of the caller: npm runs scripts in the folder of the package. */
export function invokedFrom({ environment }: Terminal): string {
  return environment()['INIT_CWD'] ?? process.cwd();
}

/** @throws InvalidArgumentError for an empty path */
export function readDirectory(path: string): string {
  if (path.trim() !== '') return path;
  throw new InvalidArgumentError('It must name a folder.');
}
