import type { CommitListener } from '../commit-health.js';

/** A value that both databases can bind. Times are ISO texts, and JSON is a text. */
export type SqlValue = string | number | null;

/** The database in use. Only repositories may depend on the dialect. */
export type Dialect = 'sqlite' | 'postgres';

export const DIALECT = Symbol('DIALECT');

/**
 * A frequent row write. SQLite gets a prepared statement per row, and PostgreSQL one statement over arrays for all
 * rows of a commit.
 */
export interface RowShape {
  readonly sqlite: string;
  readonly postgres: string;
  /** Variant of `postgres` that fails unless it changes every row. Omitted without a guard. */
  readonly postgresGuarded?: string;
  /** How PostgreSQL returns a position that the database generates. */
  readonly returning?: {
    /** Indexes of the columns that identify a row. */
    readonly key: readonly number[];
  };
}

export interface RowWrite {
  readonly shape: RowShape;
  readonly row: readonly SqlValue[];
  /** Creates the error if the write did not change exactly one row. */
  readonly orFail?: () => Error;
}

/** Any other write than a `RowWrite`, usually from a query builder. */
export interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  readonly orFail?: () => Error;
  readonly onDuplicate?: () => Error;
}

export type Write = RowWrite | Statement;

/**
 * Writes that are committed atomically. All reads happen before, and guards (`orFail`) check that the data is
 * unchanged. No transaction stays open across an await.
 */
export interface UnitOfWork {
  readonly writes: readonly Write[];
  /** Units with the same key are never in one commit. The later unit then sees the result of the earlier one. */
  readonly key?: string;
  /**
   * Called right after the commit.
   *
   * @param generated for each write the position that the database generated; null for a write without a position
   * @param previous the position before the first position of the commit; null if other commits may still get
   * positions in between
   */
  readonly afterCommit?: (generated: readonly (number | null)[], previous: number | null) => void;
}

export interface DeletionEffect {
  /** Writes for the commit of the deletion, which ensure that the effect completes after a crash. */
  readonly writes: readonly Write[];
  /**
   * Must be called after the commit of the deletion. Resolves when the effect is complete. A long effect continues in
   * the background.
   */
  readonly begin: () => Promise<void>;
}

/**
 * The only way to write to the database. Units that arrive during a commit share the next commit. Every adapter
 * passes `test/contracts/writer.contract.ts`.
 */
export abstract class Writer {
  /**
   * Resolves once the unit is durable. Rejects with the error of a failed guard or of the database, with nothing
   * written.
   */
  abstract commit(unit: UnitOfWork): Promise<void>;

  /** The listener is called after each commit and must return quickly. */
  abstract onCommit(listener: CommitListener): void;

  /** @throws Error if commits fail, or a commit has been in progress for too long */
  abstract check(): void;

  abstract drain(): Promise<void>;

  /** Drains the writer, and then releases its resources. No unit may be submitted afterwards. */
  abstract close(): Promise<void>;
}

export function isRowWrite(write: Write): write is RowWrite {
  return 'shape' in write;
}
