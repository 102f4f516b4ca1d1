import { Logger } from '@nestjs/common';
import type { Database } from 'better-sqlite3';
import { SqliteError } from './sqlite-error.js';

/** What is wrong with a SQLite file, and what to do about it, by the code that SQLite gives. */
const FAULTS: readonly (readonly [codes: RegExp, says: string])[] = [
  [
    /^(?:SQLITE_FULL|ENOSPC|EDQUOT)$/,
    'cannot be written: the disk is full. Free some space; the service needs no restart.',
  ],
  [
    /^SQLITE_CORRUPT/,
    'is corrupt. Stop the service and restore the last backup, or save what can be read with "sqlite3 <file> .recover".',
  ],
  [
    /^SQLITE_NOTADB$/,
    'is not a SQLite database. Move it away, or set DATA_DIR or DATABASE_URL to another path.',
  ],
  [
    /^(?:SQLITE_READONLY|SQLITE_CANTOPEN|SQLITE_PERM|EACCES|EPERM|EROFS|EISDIR|ENOTDIR|ENOENT)/,
    'cannot be written. Set DATA_DIR to a directory that this user may write, on a file system that is not read-only.',
  ],
  [
    /^SQLITE_IOERR/,
    'cannot be read or written: the disk reports an error. Look at the log of the system, and at the disk.',
  ],
];

/** What to tell a person of an error of SQLite; undefined where the file is not the reason. */
export function sqliteFault(code: string | undefined): string | undefined {
  return code === undefined ? undefined : FAULTS.find(([codes]) => codes.test(code))?.[1];
}

/** Thrown at start when a SQLite file is a database of another program. */
export class ForeignDatabaseError extends Error {
  override readonly name = 'ForeignDatabaseError';

  constructor(path: string) {
    super(
      `${path} is the database of another program: it has tables, and none of this service's. Set DATA_DIR or DATABASE_URL to another path.`,
    );
  }
}

/** Files up to this size are checked whole at start: it takes a tenth of a second. */
const MAX_CHECKED_BYTES = 67_108_864;

/**
 * Looks whether a file is one that the service can run on, before anything is written to it.
 * @param ownTable a table that every database of this service has
 * @throws ForeignDatabaseError; SqliteError where it is corrupt; what SQLite throws where it is no database at all
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
 * Whether a file was found to be corrupt. From then on nothing is written to it until the next start: each write could
 * destroy more, or build on what is wrong.
 */
export class Corruption {
  private readonly logger = new Logger('Database');
  private found: Error | null = null;

  /** Remembers an error that says that the file is corrupt. */
  note(error: unknown): void {
    const { code } = error as { readonly code?: unknown };
    if (this.found !== null || typeof code !== 'string' || !/^SQLITE_(?:CORRUPT|NOTADB)/.test(code)) return;
    this.found = new SqliteError('The database file is corrupt; nothing is written to it.', 'SQLITE_CORRUPT');
    this.logger.fatal({ msg: `The database file ${sqliteFault(code)} Until then nothing is written to it.` });
  }

  /** @throws SqliteError once it was found */
  check(): void {
    if (this.found !== null) throw this.found;
  }

  /** Notes what any statement of a connection fails with. */
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

/** What is known of the connections that data sources read by. */
const corruptions = new WeakMap<Database, Corruption>();

/** Whether the file of a connection was found to be corrupt: the same for all who ask. */
export function corruptionOf(database: Database): Corruption {
  let corruption = corruptions.get(database);
  if (corruption === undefined) {
    corruption = new Corruption();
    corruptions.set(database, corruption);
  }
  return corruption;
}
