import { type DatabaseSettings, inspectSettings, readSettings } from '../settings/index.js';
import { CommandError } from './command-error.js';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the path of the SQLite file that the option `--from` selects.
 * @param option a path, a `sqlite://` URL, or `sqlite` for the default file of the service, even if DATABASE_URL names
 * PostgreSQL
 * @throws CommandError if the option does not select a SQLite file
 */
export function sqliteFile(option: string, environment: Environment): string {
  const database =
    option === 'sqlite' ? sqliteOf(environment) : option.includes('://') ? databaseOf(option) : undefined;
  if (database === undefined) return option;
  if (database?.dialect === 'sqlite' && database.path !== ':memory:') return database.path;
  throw new CommandError('--from must be "sqlite", the path of a SQLite file, or sqlite://<path>.');
}

/**
 * Returns the URL of the PostgreSQL database that the option `--to` selects.
 * @param option a `postgres://` URL, or `postgres` for the database in DATABASE_URL
 * @throws CommandError if the option does not select a PostgreSQL database
 */
export function postgresUrl(option: string, environment: Environment): string {
  const database = option === 'postgres' ? readSettings(environment).database : databaseOf(option);
  // The direct URL avoids a connection pooler. The transfer holds locks beyond one transaction, which a pooler does not
  // support.
  if (database?.dialect === 'postgres') return database.directUrl ?? database.url;
  throw new CommandError(
    option === 'postgres'
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

function databaseOf(url: string): DatabaseSettings | null {
  const { settings, faults } = inspectSettings({ DATABASE_URL: url });
  return /^(sqlite|postgres|postgresql):\/\/./.test(url) && faults.length === 0 ? settings.database : null;
}
