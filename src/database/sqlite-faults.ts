import { Logger } from '@nestjs/common';
import type { Database } from 'better-sqlite3';
import { SqliteError } from './sqlite-error.js';

/**
 * Explanations of SQLite errors for operators, by error code. Each text continues a sentence that starts with the path
 * of the file.
 */
const FAULTS: readonly (readonly [codes: RegExp, says: string])[] = [
  [
    /^(?:SQLITE_FULL|ENOSPC|EDQUOT)$/,
    'cannot be written: the disk is full. Free some space; a restart is not necessary.',
  ],
  [
    /^SQLITE_CORRUPT/,
    'is corrupt. Stop the service and restore the last backup, or recover readable data with "sqlite3 <file> .recover".',
  ],
  [
    /^SQLITE_NOTADB$/,
    'is not a SQLite database. Move it to another folder, or set DATA_DIR or DATABASE_URL to another path.',
  ],
  [
    /^(?:SQLITE_READONLY|SQLITE_CANTOPEN|SQLITE_PERM|EACCES|EPERM|EROFS|EISDIR|ENOTDIR|ENOENT)/,
    'cannot be written. Set DATA_DIR to a folder that this user can write to, on a file system that is not read-only.',
  ],
  [/^SQLITE_IOERR/, 'cannot be read or written because of a disk error. Check the system log and the disk.'],
];

/**
 * Explains a SQLite error to operators, as the end of a sentence. Undefined for codes that do not concern the database
 * file.
 */
export function sqliteFault(code: string | undefined): string | undefined {
  return code === undefined ? undefined : FAULTS.find(([codes]) => codes.test(code))?.[1];
}

/** Thrown at the start of the service when the SQLite file belongs to another program. */
export class ForeignDatabaseError extends Error {
  override readonly name = 'ForeignDatabaseError';

  constructor(path: string) {
    super(`${path} is a database of another program. Set DATA_DIR or DATABASE_URL to another path.`);
  }
}

/**
 * Maximum size in bytes of a SQLite file that is checked for corruption at start. The check of such a file takes about
 * 0.1 s.
 */
const MAX_CHECKED_BYTES = 67_108_864;

/**
 * Checks that a SQLite file is an intact database of this service, or is empty. Never writes to the file.
 * @param ownTable a table that every database of this service has
 * @throws ForeignDatabaseError; SqliteError if the file is corrupt; SQLite's own errors if the file is not a database
 */
export function inspectSqlite(database: Database, ownTable: string): void {
  const tables = database
    .prepare<[], { readonly name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'")
    .all()
    .map(({ name }) => name);
  if (tables.length === 0) return;
  if (!tables.includes(ownTable)) throw new ForeignDatabaseError(database.name);
  const number = (pragma: string): number => Number(database.pragma(pragma, { simple: true }));
  if (number('page_count') * number('page_size') > MAX_CHECKED_BYTES) return;
  const verdict = String(database.pragma('quick_check(1)', { simple: true }));
  if (verdict !== 'ok') throw new SqliteError(verdict.replaceAll('\n', ' '), 'SQLITE_CORRUPT');
}

/**
 * Records that a SQLite file is corrupt. The service then refuses writes until it is restarted, because each write
 * could destroy more data.
 */
export class Corruption {
  private readonly logger = new Logger('Database');
  private found: Error | null = null;

  /** Records a SQLite error that reports corruption. Other errors have no effect. */
  note(error: unknown): void {
    const { code } = error as { readonly code?: unknown };
    if (this.found !== null || typeof code !== 'string' || !/^SQLITE_(?:CORRUPT|NOTADB)/.test(code)) return;
    this.found = new SqliteError(
      'The database file is corrupt, so the service no longer writes to it. Restore a backup.',
      'SQLITE_CORRUPT',
    );
    this.logger.fatal({ msg: `The database file ${sqliteFault(code)} Until then nothing is written to it.` });
  }

  /** @throws SqliteError if corruption was recorded */
  check(): void {
    if (this.found !== null) throw this.found;
  }

  /** Wraps the statements of a SQLite connection, so that errors that report corruption are recorded. */
  watch(database: Database): void {
    const prepare = database.prepare.bind(database) as (sql: string) => Prepared;
    const noted = <T>(work: () => T): T => {
      try {
        return work();
      } catch (error) {
        this.note(error);
        throw error;
      }
    };
    database.prepare = ((sql: string) => {
      const statement = noted(() => prepare(sql));
      for (const name of ['all', 'get', 'run'] as const) {
        const method = statement[name];
        statement[name] = (...parameters) => noted(() => Reflect.apply(method, statement, parameters));
      }
      return statement;
    }) as unknown as Database['prepare'];
  }
}

type Prepared = Record<'all' | 'get' | 'run', (...parameters: readonly unknown[]) => unknown>;

const corruptions = new WeakMap<Database, Corruption>();

/**
 * Returns the object that records corruption for a SQLite connection. Every call for the same connection returns the
 * same object.
 */
export function corruptionOf(database: Database): Corruption {
  let corruption = corruptions.get(database);
  if (corruption === undefined) {
    corruption = new Corruption();
    corruptions.set(database, corruption);
  }
  return corruption;
}
