import type { Database } from 'better-sqlite3';
import type { DataSource } from 'typeorm';

/** What the connections to the file are told by which anything is written. */
export function prepareSqlite(database: Database): void {
  // Of a new file only, and before anything is written to it: pages that become free can be given back.
  database.pragma('auto_vacuum = INCREMENTAL');
  database.pragma('journal_mode = WAL');
  // WAL reopens with NORMAL, under which a power cut may take what was acknowledged.
  database.pragma('synchronous = FULL');
  // Folding the log into the file waits for the disk; four times as rarely as by default.
  database.pragma('wal_autocheckpoint = 4000');
  prepareReader(database);
}

/** What those are told, too, that only read. */
export function prepareReader(database: Database): void {
  database.pragma('busy_timeout = 5000');
  database.pragma('temp_store = MEMORY');
  database.pragma('cache_size = -16384');
  // Its own knows only the letters of ASCII.
  database.function('lower', { deterministic: true }, (text: unknown) =>
    typeof text === 'string' ? text.toLowerCase() : text,
  );
}

/** The connection that a data source on SQLite reads by. */
export function connectionOf(dataSource: DataSource): Database {
  return (dataSource.driver as unknown as { readonly databaseConnection: Database }).databaseConnection;
}
