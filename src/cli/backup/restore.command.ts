import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { checkCopy, replaceDatabase } from '../../backup/index.js';
import { readSettings } from '../../settings/index.js';
import { CommandError } from '../command-error.js';
import type { Terminal } from '../terminal.js';
import { sqlitePath } from './sqlite-path.js';

interface Options {
  readonly replace?: true;
}

/** `restore`: replaces the SQLite database with a backup. */
export function defineRestoreCommand(command: Command, terminal: Terminal): void {
  command
    .argument('<file>', 'a file written by "backup"')
    .option('--replace', 'replace an existing database; it is kept under another name')
    .action((file: string, { replace }: Options) => restore(terminal, file, replace === true));
}

async function restore(terminal: Terminal, file: string, mayReplace: boolean): Promise<void> {
  const path = sqlitePath(readSettings(terminal.environment()));
  const { executions } = checkCopy(file);
  if (existsSync(path) && !mayReplace)
    throw new CommandError(
      `The database ${path} already exists. Use --replace to replace it. The replaced database is kept under another name.`,
    );
  const kept = await replaceDatabase(file, path);
  terminal.out(`Restored ${executions} executions to ${path}.\n`);
  if (kept !== undefined) terminal.err(`The previous database is now ${kept}.\n`);
  terminal.err(
    'Unfinished executions continue from their state in the backup: nodes that ran after the backup run again.\n',
  );
}
