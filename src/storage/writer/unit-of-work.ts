import type { CommitListener } from '../commit-health.js';

/** A value that both databases can bind. Times are ISO texts, JSON is text. */
export type SqlValue = string | number | null;

/** The database in use. Only repositories depend on it. */
export type Dialect = 'sqlite' | 'postgres';

/** Injection token of the `Dialect` in use. */
export const DIALECT = Symbol('DIALECT');

/**
 * A row write on the hot path. One declaration yields a prepared statement per row for SQLite, and one statement over
 * arrays for all rows of a commit for PostgreSQL.
 */
export interface RowShape {
  readonly sqlite: string;
  readonly postgres: string;
  /** `postgres`, failing in the database itself unless it touches every row. Omitted if the shape has no guard. */
  readonly postgresGuarded?: string;
  /** Set if the database generates a position: how PostgreSQL returns it. */
  readonly returning?: {
    /** Indexes of the columns that identify a row. */
    readonly key: readonly number[];
  };
}

/** One row of a shape. */
export interface RowWrite {
  readonly shape: RowShape;
  readonly row: readonly SqlValue[];
  /** Creates the error for a failed guard: the write did not touch exactly one row. */
  readonly orFail?: () => Error;
}

/** Any other statement, usually from a query builder. For cold paths only. */
export interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  /** Creates the error for a statement that touches no row. */
  readonly orFail?: () => Error;
  /** Creates the error for a unique constraint violation. */
  readonly onDuplicate?: () => Error;
}

export type Write = RowWrite | Statement;

/**
 * Writes that are committed atomically. A unit is data: everything it needs is read and decided before, and its guards
 * (`orFail`) check that the reads still hold. So no transaction stays open across an await.
 */
export interface UnitOfWork {
  readonly writes: readonly Write[];
  /** Units with the same key are never in one commit, so that each sees the other's outcome. */
  readonly key?: string;
  /**
   * Called right after the commit, in commit order, before any notification.
   * @param generated for each write the position that the database generated, else null
   */
  readonly afterCommit?: (generated: readonly (number | null)[]) => void;
}

/** Effects of a deletion beyond its own rows. */
export interface DeletionEffect {
  /** Writes for the commit of the deletion. They ensure that the effect completes even if the process dies. */
  readonly writes: readonly Write[];
  /**
   * Must be called after that commit. Resolves when the effect is complete, or after a short time while it continues in
   * the background.
   */
  readonly begin: () => Promise<void>;
}

/**
 * The only way to write. Units that arrive during a commit share the next one (group commit). Every adapter passes
 * `test/contracts/writer.contract.ts`.
 */
export abstract class Writer {
  /**
   * Resolves once the unit is durable. Rejects with the error of a failed guard or of the database; then nothing of the
   * unit is written.
   */
  abstract commit(unit: UnitOfWork): Promise<void>;

  /** Calls a listener with each commit. It must be quick. */
  abstract onCommit(listener: CommitListener): void;

  /** @throws Error if commits fail, or one has been in progress for too long */
  abstract check(): void;

  /** Resolves when all submitted units are settled. */
  abstract drain(): Promise<void>;

  /** Drains, then releases the writer's resources. No units may be submitted afterwards. */
  abstract close(): Promise<void>;
}

export function isRowWrite(write: Write): write is RowWrite {
  return 'shape' in write;
}
