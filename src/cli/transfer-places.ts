import { type DatabaseSettings, inspectSettings, readSettings } from '../settings/index.js';
import { CommandError } from './command-error.js';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the path of the SQLite file for the option `--from`.
 * @param word `sqlite` for the file of the settings, even if DATABASE_URL names PostgreSQL; otherwise a path or a
 * `sqlite://` URL
 * @throws CommandError for other values
 */
export function sqliteFile(word: string, environment: Environment): string {
  const place = word === 'sqlite' ? sqliteOf(environment) : word.includes('://') ? placeOf(word) : undefined;
  if (place === undefined) return word;
  if (place?.dialect === 'sqlite' && place.path !== ':memory:') return place.path;
  throw new CommandError('--from must be "sqlite", the path of a SQLite file, or sqlite://<path>.');
}

/**
 * Returns the URL of the PostgreSQL database for the option `--to`.
 * @param word `postgres` for the database of DATABASE_URL; otherwise a `postgres://` URL
 * @throws CommandError for other values
 */
export function postgresUrl(word: string, environment: Environment): string {
  const place = word === 'postgres' ? readSettings(environment).database : placeOf(word);
  // The URL bypasses a pooler, because the transfer needs locks that last longer than a transaction.
  if (place?.dialect === 'postgres') return place.directUrl ?? place.url;
  throw new CommandError(
    word === 'postgres'
      ? '--to postgres uses DATABASE_URL. Set it to postgres://...'
      : '--to must be "postgres" or postgres://...',
  );
}

function sqliteOf(environment: Environment): DatabaseSettings {
  const { database } = readSettings(environment);
  return database.dialect === 'sqlite'
    ? database
    : readSettings({ DATA_DIR: environment['DATA_DIR'] }).database;
}

function placeOf(url: string): DatabaseSettings | null {
  const { settings, faults } = inspectSettings({ DATABASE_URL: url });
  return /^(sqlite|postgres|postgresql):\/\/./.test(url) && faults.length === 0 ? settings.database : null;
}
