import type { Database, Statement } from 'better-sqlite3';

/** A write on its way to the thread that commits. */
export interface SentWrite {
  /** Place of its SQL among the texts of the request. */
  readonly text: number;
  readonly parameters: readonly unknown[];
  /** Refuses the unit where it does not touch `one` row, or touches none at all (`some`). */
  readonly guard: 'one' | 'some' | null;
}

/** Units that may share a commit. */
export interface CommitRequest {
  readonly texts: readonly string[];
  readonly units: readonly (readonly SentWrite[])[];
}

/** Why nothing of a unit was written. */
export interface RefusedUnit {
  /** Place of the write that failed; null where the commit itself did. */
  readonly write: number | null;
  readonly kind: 'guard' | 'duplicate' | 'database';
  readonly message: string;
  /** As SQLite names it. */
  readonly code: string | null;
}

/** The rows that the writes of a unit were given, if any, or why there are none. */
export type UnitOutcome = readonly number[] | RefusedUnit;

/** Prepared statements kept; query builders write few different texts. */
const MAX_STATEMENTS = 500;

/** Commits requests, one synchronous transaction each, so that no reader ever sees a part of one. */
export class SqliteCommits {
  private readonly database: Database;
  private readonly statements = new Map<string, Statement>();
  /** Milliseconds that the disk took for the last commit. */
  flushedInMs = 0;

  constructor(database: Database) {
    this.database = database;
  }

  commit(request: CommitRequest): readonly UnitOutcome[] {
    return this.together(request) ?? this.oneByOne(request);
  }

  /** The usual case: all units in one go. Undefined, with nothing written, where any of them failed. */
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

  /** Again, each behind a savepoint, so that only those that fail are refused. */
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
      // A full or failing disk undoes the whole transaction: no unit of it is written.
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
