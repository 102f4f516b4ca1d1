import type { Database } from 'better-sqlite3';
import type { DataSource } from 'typeorm';

export function prepareSqlite(database: Database): void {
  // Lets SQLite return freed pages to the disk. The setting takes effect only before the first write of
  // a new file.
  database.pragma('auto_vacuum = INCREMENTAL');
  database.pragma('journal_mode = WAL');
  // The default NORMAL could lose acknowledged commits at a power cut.
  database.pragma('synchronous = FULL');
  // Commits wait during a checkpoint, so there is one per 4,000 pages instead of 1,000.
  database.pragma('wal_autocheckpoint = 4000');
  prepareReader(database);
}

export function prepareReader(database: Database): void {
  database.pragma('busy_timeout = 5000');
  database.pragma('temp_store = MEMORY');
  database.pragma('cache_size = -16384');
  // SQLite's own `lower` changes only ASCII letters.
  database.function('lower', { deterministic: true }, (text: unknown) =>
    typeof text === 'string' ? text.toLowerCase() : text,
  );
}

export function connectionOf(dataSource: DataSource): Database {
  return (dataSource.driver as unknown as { readonly databaseConnection: Database }).databaseConnection;
}
