import type { DataSource } from 'typeorm';
import { watchOf } from './prepared-queries.ts';
import { marked } from './marked.ts';
import { asLongRead } from '../../database/index.ts';

/** Priority of queries for which a live reader waits. They run before list queries and are never refused. */
export const FIRST = 'first';

/**
 * Thrown when a slow query is refused because too many are waiting, or because the process is shutting down. The
 * message says which.
 */
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

/**
 * Runs queries that may scan much of a table because no index fits them. They must delay neither executions nor live
 * events.
 */
export abstract class SlowQueryRunner {
  /**
   * @param sql a read-only statement; `?` marks its parameters
   * @throws SlowQueryRefusedError if too many queries are waiting
   */
  abstract rows<Row>(
    sql: string,
    parameters: readonly unknown[],
    turn?: typeof FIRST,
  ): Promise<readonly Row[]>;

  abstract close(): Promise<void>;
}

/** Slow queries on PostgreSQL. The server runs queries in its own processes, so no thread is needed. */
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

  /** Does nothing, because the data source owns the connections. */
  close(): Promise<void> {
    return Promise.resolve();
  }
}
