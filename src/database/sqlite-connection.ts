import type { Database } from 'better-sqlite3';
import type { DataSource } from 'typeorm';

/** Settings of connections that write to the file. */
export function prepareSqlite(database: Database): void {
  // Only for a new file, before the first write: freed pages can be returned to the disk.
  database.pragma('auto_vacuum = INCREMENTAL');
  database.pragma('journal_mode = WAL');
  // WAL reopens with NORMAL, under which a power cut may lose acknowledged commits.
  database.pragma('synchronous = FULL');
  // Checkpoints of the WAL wait for the disk; four times as rarely as by default.
  database.pragma('wal_autocheckpoint = 4000');
  prepareReader(database);
}

/** Settings of read-only connections, too. */
export function prepareReader(database: Database): void {
  database.pragma('busy_timeout = 5000');
  database.pragma('temp_store = MEMORY');
  database.pragma('cache_size = -16384');
  // SQLite's own function handles ASCII letters only.
  database.function('lower', { deterministic: true }, (text: unknown) =>
    typeof text === 'string' ? text.toLowerCase() : text,
  );
}

/** The read connection of a SQLite data source. */
export function connectionOf(dataSource: DataSource): Database {
  return (dataSource.driver as unknown as { readonly databaseConnection: Database }).databaseConnection;
}
