import type { DataSource } from 'typeorm';
import { watchOf } from './kept-queries.js';
import { marked } from './marked.js';
import { longReadLimitMs, withStatementLimit } from '../../database/index.js';

/** Whom somebody live waits for: it goes before the lists, and is never refused. */
export const FIRST = 'first';

/** Thrown when a slow query is not accepted: too many wait already, or the process is ending. The message says which. */
export class LongReadRefusedError extends Error {
  override readonly name = 'LongReadRefusedError';

  /** @param retryAfterSeconds when the same query may be accepted */
  constructor(
    message: string,
    readonly retryAfterSeconds: number,
  ) {
    super(message);
  }
}

/**
 * Statements that may pass over much of a table before they find what they look for, because no index tells it apart.
 * They must hold up nobody else: neither who executes, nor who is told of it live.
 */
export abstract class LongReads {
  /**
   * @param sql a statement that only reads; `?` marks its parameters
   * @throws LongReadRefusedError where too many wait already
   */
  abstract rows<Row>(
    sql: string,
    parameters: readonly unknown[],
    turn?: typeof FIRST,
  ): Promise<readonly Row[]>;

  abstract close(): Promise<void>;
}

/** PostgreSQL reads in processes of its own. */
export class PostgresLongReads extends LongReads {
  private readonly limitMs: number;

  constructor(private readonly dataSource: DataSource) {
    super();
    this.limitMs = longReadLimitMs(watchOf(dataSource).limitMs);
  }

  rows<Row>(sql: string, parameters: readonly unknown[]): Promise<readonly Row[]> {
    return withStatementLimit(this.limitMs, () =>
      this.dataSource.query<readonly Row[]>(marked('postgres', sql), [...parameters]),
    );
  }

  /** Its connections are the data source's. */
  close(): Promise<void> {
    return Promise.resolve();
  }
}
