import type { Command } from 'commander';
import { writeCopy } from '../../backup/index.js';
import { readSettings } from '../../settings/index.js';
import type { Terminal } from '../terminal.js';
import { sqlitePath } from './sqlite-path.js';

const BYTES_OF_A_MEGABYTE = 1_000_000;

/** `backup`: copies the SQLite database while the service runs. */
export function defineBackupCommand(command: Command, terminal: Terminal): void {
  command.argument('<file>', 'path of the new backup file').action((file: string) => {
    const path = sqlitePath(readSettings(terminal.environment()));
    const { executions, bytes } = writeCopy(path, file);
    const megabytes = (bytes / BYTES_OF_A_MEGABYTE).toFixed(1);
    terminal.out(`Backed up ${path} to ${file}: ${executions} executions, ${megabytes} MB, checked.\n`);
    terminal.err('If SECRETS_KEY is set, keep it together with the backup.\n');
  });
}
