import { Logger } from '@nestjs/common';
import type { Database } from 'better-sqlite3';
import { SqliteError } from './sqlite-error.js';

/** What is wrong with a SQLite file and what to do, by SQLite's code. */
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

/** The explanation of a SQLite error for people; undefined if the file is not the reason. */
export function sqliteFault(code: string | undefined): string | undefined {
  return code === undefined ? undefined : FAULTS.find(([codes]) => codes.test(code))?.[1];
}

/** Thrown at start when a SQLite file belongs to another program. */
export class ForeignDatabaseError extends Error {
  override readonly name = 'ForeignDatabaseError';

  constructor(path: string) {
    super(
      `${path} is the database of another program: it has tables, and none of this service's. Set DATA_DIR or DATABASE_URL to another path.`,
    );
  }
}

/** Files up to this size are checked completely at start, which takes a tenth of a second. */
const MAX_CHECKED_BYTES = 67_108_864;

/**
 * Checks that the service can run on a file, before anything is written to it.
 * @param ownTable a table of every database of this service
 * @throws ForeignDatabaseError; SqliteError when it is corrupt; SQLite's own errors when it is no database
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
 * Tracks whether a file was found to be corrupt. From then on nothing is written to it until the next start: each write
 * could destroy more.
 */
export class Corruption {
  private readonly logger = new Logger('Database');
  private found: Error | null = null;

  /** Records an error that reports corruption. */
  note(error: unknown): void {
    const { code } = error as { readonly code?: unknown };
    if (this.found !== null || typeof code !== 'string' || !/^SQLITE_(?:CORRUPT|NOTADB)/.test(code)) return;
    this.found = new SqliteError('The database file is corrupt; nothing is written to it.', 'SQLITE_CORRUPT');
    this.logger.fatal({ msg: `The database file ${sqliteFault(code)} Until then nothing is written to it.` });
  }

  /** @throws SqliteError once corruption was found */
  check(): void {
    if (this.found !== null) throw this.found;
  }

  /** Records the error of every failed statement of a connection. */
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

/** Faults by read connection. */
const corruptions = new WeakMap<Database, Corruption>();

/** The fault tracker of a connection: the same object for all callers. */
export function corruptionOf(database: Database): Corruption {
  let corruption = corruptions.get(database);
  if (corruption === undefined) {
    corruption = new Corruption();
    corruptions.set(database, corruption);
  }
  return corruption;
}
