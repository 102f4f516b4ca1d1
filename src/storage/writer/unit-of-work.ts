import type { CommitListener } from '../commit-health.js';

/** A value that both databases bind. Times are ISO texts, JSON is text. */
export type SqlValue = string | number | null;

/** Which database is behind; only repositories look at it. */
export type Dialect = 'sqlite' | 'postgres';

/** Injection token of the `Dialect` in use. */
export const DIALECT = Symbol('DIALECT');

/**
 * The form of a row write on the hot path. One declaration gives SQLite a prepared statement that is run
 * row by row, and PostgreSQL one statement over arrays that takes all rows of a commit at once.
 */
export interface RowShape {
  readonly sqlite: string;
  readonly postgres: string;
  /** The same, failing in PostgreSQL itself where it does not touch every row; none where no guard can be told. */
  readonly postgresGuarded?: string;
  /** Where the database generates a position: how PostgreSQL finds it. */
  readonly returning?: {
    /** Columns that name a row. */
    readonly key: readonly number[];
  };
}

/** One row of a shape. */
export interface RowWrite {
  readonly shape: RowShape;
  readonly row: readonly SqlValue[];
  /** Made and thrown when the write does not touch exactly one row: a lost guard. */
  readonly orFail?: () => Error;
}

/** Any other statement, usually from a query builder; cold paths only. */
export interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  /** Made and thrown when the statement touches no row. */
  readonly orFail?: () => Error;
  /** Turns a broken unique index into an error that says what it means. */
  readonly onDuplicate?: () => Error;
}

export type Write = RowWrite | Statement;

/**
 * What is committed together or not at all. A unit is data: everything it needs is read and decided before,
 * and its guards (`orFail`) say what must still be true. So no transaction is ever held open across an await.
 */
export interface UnitOfWork {
  readonly writes: readonly Write[];
  /** Units of one key are never in the same commit, so that each sees the other's outcome. */
  readonly key?: string;
  /**
   * Called right after the commit, in commit order, before anybody else hears of it.
   * @param generated what the database generated for each write (a position), else null
   */
  readonly afterCommit?: (generated: readonly (number | null)[]) => void;
}

/** What a deletion has to do beyond its own rows. */
export interface DeletionEffect {
  /** For the commit of the deletion: the rest happens whatever dies. */
  readonly writes: readonly Write[];
  /** To be called after that commit. Resolves when all is done, or after a moment: the rest is done in the background. */
  readonly begin: () => Promise<void>;
}

/**
 * The one way to write. Units that arrive while commits are under way share the next one (group commit).
 * Every adapter passes `test/contracts/writer.contract.ts`.
 */
export abstract class Writer {
  /**
   * Resolves once the unit is durable; rejects, with nothing of it written, with the error of a lost guard
   * or of the database.
   */
  abstract commit(unit: UnitOfWork): Promise<void>;

  /** Calls a listener with each commit. It must be quick. */
  abstract onCommit(listener: CommitListener): void;

  /** @throws Error why commits do not go through: they fail, or one has been under way for too long */
  abstract check(): void;

  /** Resolves when everything that was handed over is settled. */
  abstract drain(): Promise<void>;

  /** The same, and gives back what the writer itself holds; nothing may be handed over from then on. */
  abstract close(): Promise<void>;
}

export function isRowWrite(write: Write): write is RowWrite {
  return 'shape' in write;
}
