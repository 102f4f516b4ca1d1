import type { Settings } from '../../settings/index.js';
import { CommandError } from '../command-error.js';

/**
 * Returns the path of the SQLite file that the settings select.
 * @throws CommandError if the settings select an in-memory database, or PostgreSQL, which has its own backup tools
 */
export function sqlitePath({ database }: Settings): string {
  if (database.dialect === 'postgres')
    throw new CommandError(
      'This command supports only SQLite. For PostgreSQL, use pg_dump and pg_restore as described in docs/operations.md.',
    );
  if (database.path === ':memory:')
    throw new CommandError('This command needs a database file, but the database is in memory.');
  return database.path;
}
