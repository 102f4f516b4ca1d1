import type { CommitListener } from '../commit-health.js';

/** A parameter value that SQLite and PostgreSQL accept. Times are ISO 8601 texts, and JSON values are texts. */
export type SqlValue = string | number | null;

/** Kind of the database in use: SQLite or PostgreSQL. Only repositories may depend on the dialect. */
export type Dialect = 'sqlite' | 'postgres';

export const DIALECT = Symbol('DIALECT');

/**
 * SQL of a frequent kind of row write. On SQLite, a prepared statement writes each row. On PostgreSQL, one statement
 * with array parameters writes all rows of a commit.
 */
export interface RowShape {
  readonly sqlite: string;
  readonly postgres: string;
  /**
   * Variant of the statement in `postgres` that fails if a row does not meet its condition (guard). Absent if
   * the rows have no condition.
   */
  readonly postgresGuarded?: string;
  /**
   * How the rows that a PostgreSQL statement returns are matched with the written rows, to get their generated
   * positions. Absent if the database generates no position.
   */
  readonly returning?: {
    /** Indexes of the columns whose values identify a row. */
    readonly key: readonly number[];
  };
}

export interface RowWrite {
  readonly shape: RowShape;
  readonly row: readonly SqlValue[];
  /**
   * Returns the error for a write that did not change exactly one row. Absent for a write without a
   * condition.
   */
  readonly orFail?: () => Error;
}

/** Any write that is not a `RowWrite`, usually built by a query builder. */
export interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  /** Returns the error for a statement that changed no row. Unlike a row write, a statement may change several rows. */
  readonly orFail?: () => Error;
  /** Returns the error for a statement that violated a unique index or a primary key. */
  readonly onDuplicate?: () => Error;
}

export type Write = RowWrite | Statement;

/**
 * Writes that are committed together or not at all. A caller reads data before the commit. Writes with
 * `orFail` (guards) make the commit fail if this data has changed. No transaction stays open across an
 * `await`.
 */
export interface UnitOfWork {
  /**
   * The order is not guaranteed: on PostgreSQL, all statements run first, then the row writes, grouped by their shape.
   */
  readonly writes: readonly Write[];
  /**
   * Units of work with the same key are never in the same commit. The later unit therefore sees the result of the
   * earlier unit.
   */
  readonly key?: string;
  /**
   * Called directly after the commit.
   *
   * @param generated position that the database generated for each write; null for a write without a position
   * @param previous position of the last write before this commit; null if other commits may still get a position
   * between that write and this commit
   */
  readonly afterCommit?: (generated: readonly (number | null)[], previous: number | null) => void;
}

export interface DeletionEffect {
  /**
   * Writes for the commit that deletes a project, workflow or other resource. The writes record the follow-up
   * work, such as cancelling executions. After a crash, another process can thus complete the work.
   */
  readonly writes: readonly Write[];
  /**
   * Begins the follow-up work of a deletion after its commit. Resolves when the work is complete. Resolves
   * earlier if the work takes long and continues in the background.
   */
  readonly begin: () => Promise<void>;
}

/**
 * The only way to write to the database. Units of work that arrive during a commit share the next commit. Every adapter
 * must pass `test/contracts/writer.contract.ts`.
 */
export abstract class Writer {
  /**
   * Commits a unit of work. Resolves once the unit is durable. Rejects with the write's own error (`orFail`)
   * if the condition of a write fails, or with an error of the database. After a timeout or a lost
   * connection, the unit may nevertheless be written.
   */
  abstract commit(unit: UnitOfWork): Promise<void>;

  /** Prepares the first commit, which would otherwise take longer than the others. Does nothing by default. */
  warmUp(): void {
    return;
  }

  /** Registers a listener that is called after each commit. The listener must return quickly. */
  abstract onCommit(listener: CommitListener): void;

  /** @throws Error if commits fail, or a commit has been in progress for too long */
  abstract check(): void;

  abstract drain(): Promise<void>;

  /** Drains the writer, and then releases its resources. No unit of work may be submitted afterwards. */
  abstract close(): Promise<void>;
}

export function isRowWrite(write: Write): write is RowWrite {
  return 'shape' in write;
}
