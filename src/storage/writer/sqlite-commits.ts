import type { Database, Statement } from 'better-sqlite3';

export interface SentWrite {
  readonly text: number;
  readonly parameters: readonly unknown[];
  /**
   * Number of rows that the write must change: exactly one (`one`) or at least one (`some`). Null if the number does
   * not matter.
   */
  readonly guard: 'one' | 'some' | null;
}

export interface CommitRequest {
  readonly texts: readonly string[];
  readonly units: readonly (readonly SentWrite[])[];
}

export interface RefusedUnit {
  /** Index of the write that failed. Null if the commit itself failed. */
  readonly write: number | null;
  readonly kind: 'guard' | 'duplicate' | 'database';
  readonly message: string;
  readonly code: string | null;
}

/** Outcome of a unit of work: the row ids of its writes, or the reason why the unit was refused. */
export type UnitOutcome = readonly number[] | RefusedUnit;

/** Maximum number of cached prepared statements. */
const MAX_STATEMENTS = 500;

/** Commits all units of work of a `CommitRequest` in one transaction, so that readers never see a part of a commit. */
export class SqliteCommits {
  private readonly database: Database;
  private readonly statements = new Map<string, Statement>();
  /** Duration of the last disk flush, in milliseconds. */
  flushedInMs = 0;

  constructor(database: Database) {
    this.database = database;
  }

  commit(request: CommitRequest): readonly UnitOutcome[] {
    return this.together(request) ?? this.oneByOne(request);
  }

  /**
   * Commits all units of work of a `CommitRequest` in one transaction. If any unit fails, writes nothing and returns
   * undefined.
   */
  private together({ texts, units }: CommitRequest): readonly UnitOutcome[] | undefined {
    try {
      this.database.exec('BEGIN IMMEDIATE');
      const outcomes = units.map((unit) => unit.map((write) => this.execute(texts, write)));
      this.flush();
      return outcomes;
    } catch {
      this.rollback();
      return undefined;
    }
  }

  /**
   * Commits the units of work of a `CommitRequest` with one savepoint for each unit, so that only failing units are
   * refused.
   */
  private oneByOne({ texts, units }: CommitRequest): readonly UnitOutcome[] {
    try {
      this.database.exec('BEGIN IMMEDIATE');
      const outcomes = units.map((unit) => this.behindSavepoint(texts, unit));
      this.flush();
      return outcomes;
    } catch (error) {
      this.rollback();
      return units.map(() => refused(error, null));
    }
  }

  private behindSavepoint(texts: readonly string[], unit: readonly SentWrite[]): UnitOutcome {
    this.database.exec('SAVEPOINT unit');
    const rows: number[] = [];
    try {
      for (const write of unit) rows.push(this.execute(texts, write));
      this.database.exec('RELEASE unit');
      return rows;
    } catch (error) {
      // If the disk is full or fails, SQLite rolls back the whole transaction, including the savepoint. All units then
      // fail.
      if (!this.database.inTransaction) throw error;
      this.database.exec('ROLLBACK TO unit; RELEASE unit');
      return refused(error, rows.length);
    }
  }

  private execute(texts: readonly string[], { text, parameters, guard }: SentWrite): number {
    const { changes, lastInsertRowid } = this.prepared(texts[text] ?? '').run(...parameters);
    if (guard !== null && (guard === 'one' ? changes !== 1 : changes === 0)) throw new GuardLost();
    return Number(lastInsertRowid);
  }

  private prepared(sql: string): Statement {
    let statement = this.statements.get(sql);
    if (statement === undefined) {
      statement = this.database.prepare(sql);
      if (this.statements.size < MAX_STATEMENTS) this.statements.set(sql, statement);
    }
    return statement;
  }

  private flush(): void {
    const begun = performance.now();
    this.database.exec('COMMIT');
    this.flushedInMs = performance.now() - begun;
  }

  private rollback(): void {
    if (this.database.inTransaction) this.database.exec('ROLLBACK');
  }
}

class GuardLost extends Error {}

function refused(error: unknown, write: number | null): RefusedUnit {
  const { code = null } = error as { code?: string };
  const kind =
    error instanceof GuardLost
      ? 'guard'
      : code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY'
        ? 'duplicate'
        : 'database';
  return { write, kind, message: error instanceof Error ? error.message : String(error), code };
}
