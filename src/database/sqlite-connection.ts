import type { Database } from 'better-sqlite3';
import type { DataSource } from 'typeorm';

/** Prepares a connection that writes to the file. */
export function prepareSqlite(database: Database): void {
  // Allows freed pages to be returned to the disk. Has an effect only on a new file, before its first write.
  database.pragma('auto_vacuum = INCREMENTAL');
  database.pragma('journal_mode = WAL');
  // With WAL the build's default is NORMAL. With that setting, a power cut can lose acknowledged commits.
  database.pragma('synchronous = FULL');
  // During a checkpoint of the WAL, commits wait for the disk. Therefore one checkpoint per 4,000 pages, not per 1,000.
  database.pragma('wal_autocheckpoint = 4000');
  prepareReader(database);
}

/** Prepares any connection, including read-only ones. */
export function prepareReader(database: Database): void {
  database.pragma('busy_timeout = 5000');
  database.pragma('temp_store = MEMORY');
  database.pragma('cache_size = -16384');
  // Replaces SQLite's `lower`, which changes only ASCII letters.
  database.function('lower', { deterministic: true }, (text: unknown) =>
    typeof text === 'string' ? text.toLowerCase() : text,
  );
}

/** The read connection of a SQLite data source. */
export function connectionOf(dataSource: DataSource): Database {
  return (dataSource.driver as unknown as { readonly databaseConnection: Database }).databaseConnection;
}
