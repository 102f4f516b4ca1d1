import { type DatabaseSettings, inspectSettings, readSettings } from '../settings/index.js';
import { CommandError } from './command-error.js';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the path of the SQLite file that the option `--from` selects.
 * @param word a path, a `sqlite://` URL, or `sqlite` for the default file of the service, even if DATABASE_URL names
 * PostgreSQL
 * @throws CommandError if the option does not select a SQLite file
 */
export function sqliteFile(word: string, environment: Environment): string {
  const place = word === 'sqlite' ? sqliteOf(environment) : word.includes('://') ? placeOf(word) : undefined;
  if (place === undefined) return word;
  if (place?.dialect === 'sqlite' && place.path !== ':memory:') return place.path;
  throw new CommandError('--from must be "sqlite", the path of a SQLite file, or sqlite://<path>.');
}

/**
 * Returns the URL of the PostgreSQL database that the option `--to` selects.
 * @param word a `postgres://` URL, or `postgres` for the database in DATABASE_URL
 * @throws CommandError if the option does not select a PostgreSQL database
 */
export function postgresUrl(word: string, environment: Environment): string {
  const place = word === 'postgres' ? readSettings(environment).database : placeOf(word);
  // The direct URL avoids a connection pooler. The transfer holds locks beyond one transaction, which a pooler does not
  // support.
  if (place?.dialect === 'postgres') return place.directUrl ?? place.url;
  throw new CommandError(
    word === 'postgres'
      ? '--to postgres needs a PostgreSQL URL in DATABASE_URL, such as postgres://user@host/database.'
      : '--to must be "postgres" or a URL such as postgres://user@host/database.',
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
