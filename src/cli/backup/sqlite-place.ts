import type { Settings } from '../../settings/index.js';
import { CommandError } from '../command-error.js';

/**
 * The SQLite file that the settings name.
 * @throws CommandError when they name PostgreSQL, which has its own backup tools, or an in-memory database
 */
export function sqlitePlace({ database }: Settings): string {
  if (database.dialect === 'postgres')
    throw new CommandError(
      'The settings name PostgreSQL. Use pg_dump and pg_restore: docs/operations.md says how.',
    );
  if (database.path === ':memory:') throw new CommandError('The settings name a database in memory.');
  return database.path;
}
