import type { Database } from 'better-sqlite3';
import type { DataSource } from 'typeorm';

export function prepareSqlite(database: Database): void {
  // Incremental auto-vacuum lets SQLite return the space of deleted rows to the file system. The pragma has an effect
  // only before the first write to a new file.
  database.pragma('auto_vacuum = INCREMENTAL');
  database.pragma('journal_mode = WAL');
  // In WAL mode, `synchronous = NORMAL` could lose acknowledged commits in a power failure.
  database.pragma('synchronous = FULL');
  // Commits wait during a checkpoint, in which SQLite copies the WAL to the database file. A checkpoint every 4,000
  // pages, instead of SQLite's default of 1,000, makes such waits rarer.
  database.pragma('wal_autocheckpoint = 4000');
  prepareReader(database);
}

export function prepareReader(database: Database): void {
  database.pragma('busy_timeout = 5000');
  database.pragma('temp_store = MEMORY');
  database.pragma('cache_size = -16384');
  // Replaces SQLite's built-in function `lower`, which converts only ASCII letters.
  database.function('lower', { deterministic: true }, (text: unknown) =>
    typeof text === 'string' ? text.toLowerCase() : text,
  );
}

export function connectionOf(dataSource: DataSource): Database {
  return (dataSource.driver as unknown as { readonly databaseConnection: Database }).databaseConnection;
}
