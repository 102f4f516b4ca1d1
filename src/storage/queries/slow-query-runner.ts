import type { DataSource } from 'typeorm';
import { watchOf } from './prepared-queries.ts';
import { marked } from './marked.ts';
import { asLongRead } from '../../database/index.ts';

/**
 * Priority of queries for clients that follow events live. Such queries run before list queries, and are never refused
 * because of the number of waiting queries.
 */
export const FIRST = 'first';

/** Thrown when too many slow queries are waiting, or when the process is shutting down. */
export class SlowQueryRefusedError extends Error {
  override readonly name = 'SlowQueryRefusedError';

  /** @param retryAfterSeconds time after which the query may be accepted */
  constructor(
    message: string,
    readonly retryAfterSeconds: number,
  ) {
    super(message);
  }
}

/** Runs queries that may scan a large part of a table, without delaying executions or live events. */
export abstract class SlowQueryRunner {
  /**
   * @param sql a read-only statement; `?` marks its parameters
   *
   * @throws SlowQueryRefusedError if too many queries are waiting
   */
  abstract rows<Row>(
    sql: string,
    parameters: readonly unknown[],
    turn?: typeof FIRST,
  ): Promise<readonly Row[]>;

  abstract close(): Promise<void>;
}

/**
 * Runs slow queries on PostgreSQL. The service needs no thread for them, because queries run in the database server.
 */
export class PostgresSlowQueryRunner extends SlowQueryRunner {
  private readonly limitMs: number;

  constructor(private readonly dataSource: DataSource) {
    super();
    this.limitMs = watchOf(dataSource).limitMs;
  }

  rows<Row>(sql: string, parameters: readonly unknown[]): Promise<readonly Row[]> {
    return asLongRead(this.limitMs, () =>
      this.dataSource.query<readonly Row[]>(marked('postgres', sql), [...parameters]),
    );
  }

  /** Does nothing, because the data source closes the connections. */
  close(): Promise<void> {
    return Promise.resolve();
  }
}
