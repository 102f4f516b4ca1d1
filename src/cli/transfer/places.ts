import { type DatabaseSettings, readSettings } from '../../settings/index.js';
import { CommandError } from '../command-error.js';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The SQLite file that `--from` names.
 * @param word `sqlite` for the file of the settings, even if DATABASE_URL names PostgreSQL; a path; or a `sqlite://`
 * URL
 * @throws CommandError for anything else
 */
export function sqliteFile(word: string, environment: Environment): string {
  const place = word === 'sqlite' ? sqliteOf(environment) : word.includes('://') ? placeOf(word) : undefined;
  if (place === undefined) return word;
  if (place?.dialect === 'sqlite' && place.path !== ':memory:') return place.path;
  throw new CommandError('--from must be "sqlite", the path of a SQLite file, or sqlite://<path>.');
}

/**
 * The PostgreSQL database that `--to` names.
 * @param word `postgres` for the database of DATABASE_URL, or a `postgres://` URL
 * @throws CommandError for anything else
 */
export function postgresUrl(word: string, environment: Environment): string {
  const place = word === 'postgres' ? readSettings(environment).database : placeOf(word);
  if (place?.dialect === 'postgres') return place.url;
  throw new CommandError(
    word === 'postgres'
      ? '--to postgres means the database of DATABASE_URL: set that to postgres://...'
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
  return /^(sqlite|postgres|postgresql):\/\/./.test(url) && URL.canParse(url)
    ? readSettings({ DATABASE_URL: url }).database
    : null;
}
