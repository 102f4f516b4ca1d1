import type { Database, Statement as PreparedStatement } from 'better-sqlite3';
import { CommitQueue, committed, type PendingUnit } from './group-commit.js';
import { isRowWrite, type UnitOfWork, type Write, Writer } from './unit-of-work.js';

type Generated = readonly (number | null)[];

/**
 * Group commit on SQLite. A flush is one synchronous transaction on the next turn of the event loop, so
 * nothing can join it and no reader of this connection ever sees a part of it.
 */
export class SqliteWriter extends Writer {
  private readonly queue = new CommitQueue();
  private readonly statements = new Map<string, PreparedStatement>();
  private scheduled = false;
  private readonly idle: (() => void)[] = [];

  constructor(private readonly database: Database) {
    super();
  }

  commit(unit: UnitOfWork): Promise<void> {
    const done = this.queue.add(unit);
    this.schedule();
    return done;
  }

  async drain(): Promise<void> {
    if (this.queue.isEmpty) return;
    await new Promise<void>((resolve) => this.idle.push(resolve));
  }

  private schedule(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    setImmediate(() => {
      this.scheduled = false;
      this.flush();
      if (!this.queue.isEmpty) this.schedule();
      else for (const resolve of this.idle.splice(0)) resolve();
    });
  }

  private flush(): void {
    const batch = this.queue.take();
    const outcomes = this.together(batch) ?? this.oneByOne(batch);
    batch.forEach((pending, index) => {
      const outcome = outcomes[index];
      if (outcome === undefined || outcome instanceof Failure) pending.reject(outcome?.error);
      else committed(pending, outcome);
    });
  }

  /** The usual case: all units in one go. Undefined, with nothing written, where any of them failed. */
  private together(batch: readonly PendingUnit[]): readonly Generated[] | undefined {
    try {
      this.database.exec('BEGIN IMMEDIATE');
      const outcomes = batch.map(({ unit }) => this.run(unit));
      this.database.exec('COMMIT');
      return outcomes;
    } catch {
      if (this.database.inTransaction) this.database.exec('ROLLBACK');
      return undefined;
    }
  }

  /** Again, each behind a savepoint, so that only those that fail are refused. */
  private oneByOne(batch: readonly PendingUnit[]): readonly (Generated | Failure)[] {
    try {
      this.database.exec('BEGIN IMMEDIATE');
      const outcomes = batch.map(({ unit }) => this.behindSavepoint(unit));
      this.database.exec('COMMIT');
      return outcomes;
    } catch (error) {
      if (this.database.inTransaction) this.database.exec('ROLLBACK');
      return batch.map(() => new Failure(error));
    }
  }

  private behindSavepoint(unit: UnitOfWork): Generated | Failure {
    this.database.exec('SAVEPOINT unit');
    try {
      const generated = this.run(unit);
      this.database.exec('RELEASE unit');
      return generated;
    } catch (error) {
      this.database.exec('ROLLBACK TO unit; RELEASE unit');
      return new Failure(error);
    }
  }

  private run(unit: UnitOfWork): Generated {
    return unit.writes.map((write) => this.execute(write));
  }

  private execute(write: Write): number | null {
    if (isRowWrite(write)) {
      const result = this.prepared(write.shape.sqlite).run(...write.row);
      if (write.orFail !== undefined && result.changes !== 1) throw write.orFail();
      return write.shape.returning === undefined ? null : Number(result.lastInsertRowid);
    }
    try {
      const result = this.prepared(write.sql).run(...write.parameters);
      if (write.orFail !== undefined && result.changes === 0) throw write.orFail();
      return null;
    } catch (error) {
      throw write.onDuplicate !== undefined && isDuplicate(error) ? write.onDuplicate() : error;
    }
  }

  private prepared(sql: string): PreparedStatement {
    let statement = this.statements.get(sql);
    if (statement === undefined) {
      statement = this.database.prepare(sql);
      if (this.statements.size < MAX_STATEMENTS) this.statements.set(sql, statement);
    }
    return statement;
  }
}

/** Prepared statements kept; query builders write few different texts. */
const MAX_STATEMENTS = 500;

class Failure {
  constructor(readonly error: unknown) {}
}

function isDuplicate(error: unknown): boolean {
  const code = (error as { code?: unknown }).code;
  return code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY';
}
