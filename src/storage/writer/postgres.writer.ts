import type { Pool, PoolClient, QueryResult } from 'pg';
import { collect, GeneratedPositions, groupByShape, isLong, PipelinedCommit } from './postgres-batch.js';
import { Pipeline, type Step } from './postgres-pipeline.js';
import { CommitHealth, type CommitListener } from '../commit-health.js';
import { CommitQueue, committed, type PendingUnit } from './group-commit.js';
import { inBackground } from '../../database/index.js';
import {
  isRowWrite,
  type RowWrite,
  type SqlValue,
  type Statement,
  type UnitOfWork,
  Writer,
} from './unit-of-work.js';

/** Maximum number of commits in progress. Each of them has its own connection. */
const MAX_COMMITS = 2;

/**
 * Duration of a commit in milliseconds from which the next commit starts without waiting. Faster commits cost less if
 * units wait and share one. In slower commits, the flush to disk takes most of the time, and PostgreSQL flushes several
 * commits together.
 */
const SLOW_MS = 3;

/**
 * Group commit on PostgreSQL: units that arrive during a commit share the next commit. While commits are slow, several
 * commits are in progress, but two of them never contain units with the same key. Rows of one shape become one
 * statement over arrays. If the server itself can check the guards, all statements are pipelined. If a commit fails,
 * nothing is written, and its units are retried one by one.
 */
export class PostgresWriter extends Writer {
  private readonly queue = new CommitQueue();
  private readonly inProgress = new Set<Promise<void>>();
  /** Keys of the units in commits that are in progress. */
  private readonly keys = new Set<string>();
  private isScheduled = false;
  private lastMs = 0;
  private readonly health = new CommitHealth();

  constructor(private readonly pool: Pool) {
    super();
  }

  commit(unit: UnitOfWork): Promise<void> {
    const done = this.queue.add(unit);
    this.schedule();
    return done;
  }

  onCommit(listener: CommitListener): void {
    this.health.listenWith(listener);
  }

  check(): void {
    this.health.check();
  }

  async drain(): Promise<void> {
    while (this.isScheduled || this.inProgress.size > 0) {
      await new Promise((resolve) => setImmediate(resolve));
      await Promise.all(this.inProgress);
    }
  }

  /** Drains the writer. The pool stays open, because the writer does not own it. */
  close(): Promise<void> {
    return this.drain();
  }

  /** Schedules a commit. All units of one turn of the event loop share it. */
  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      this.begin();
    });
  }

  private begin(): void {
    while (this.inProgress.size < (this.lastMs < SLOW_MS ? 1 : MAX_COMMITS)) {
      const batch = this.queue.take(this.keys);
      if (batch.length === 0) return;
      const commit = inBackground(() => this.write(batch)).finally(() => {
        this.inProgress.delete(commit);
        this.begin();
      });
      this.inProgress.add(commit);
    }
  }

  private async write(batch: readonly PendingUnit[]): Promise<void> {
    const keys = batch.flatMap(({ unit: { key } }) => (key === undefined ? [] : [key]));
    for (const key of keys) this.keys.add(key);
    const sent = this.health.sent(batch.length);
    await this.flush(batch);
    this.queue.settled(batch);
    for (const key of keys) this.keys.delete(key);
    this.lastMs = this.health.completed(sent);
  }

  private async flush(batch: readonly PendingUnit[]): Promise<void> {
    const atOnce = new PipelinedCommit(batch.map(({ unit }) => unit));
    const { steps } = atOnce;
    const isTooLong = steps !== null && isLong(steps);
    if (isTooLong && batch.length > 1) {
      const half = Math.ceil(batch.length / 2);
      await this.flush(batch.slice(0, half));
      return await this.flush(batch.slice(half));
    }
    try {
      if (steps !== null && !isTooLong) await this.inOneGo(atOnce, steps, batch);
      else await this.transaction((client) => this.run(client, batch), batch);
      this.health.succeeded();
    } catch (error) {
      this.health.failed(error);
      // If the connection is lost, the outcome of the commit is unknown, so it must not be retried.
      if (error instanceof ConnectionLost) for (const { reject } of batch) reject(error.cause);
      // PostgreSQL rolled everything back to resolve a deadlock. A retry succeeds when the other transaction has ended.
      else if (codeOf(error) === DEADLOCK) await this.flush(batch);
      else if ((steps !== null && !isTooLong) || batch.length > 1)
        for (const pending of batch) await this.flushAlone(pending);
      else batch[0]?.reject(error);
    }
  }

  /** Commits one unit in its own transaction. If a statement fails, only this unit is rejected. */
  private async flushAlone(pending: PendingUnit): Promise<void> {
    try {
      await this.transaction((client) => this.run(client, [pending]), [pending]);
      this.health.succeeded();
    } catch (error) {
      this.health.failed(error);
      if (codeOf(error) === DEADLOCK) await this.flushAlone(pending);
      else pending.reject(error instanceof ConnectionLost ? error.cause : error);
    }
  }

  private async inOneGo(
    atOnce: PipelinedCommit,
    steps: readonly Step[],
    batch: readonly PendingUnit[],
  ): Promise<void> {
    const results = await this.onConnection((client) => client.query(new Pipeline(steps)).done);
    settle(batch, atOnce.generated(results));
  }

  private async transaction(
    work: (client: PoolClient) => Promise<GeneratedPositions>,
    batch: readonly PendingUnit[],
  ): Promise<void> {
    const generated = await this.onConnection(async (client) => {
      await client.query('BEGIN');
      const found = await work(client);
      await client.query('COMMIT');
      return found;
    });
    settle(batch, generated);
  }

  /**
   * Runs work on a connection. Rejects with `ConnectionLost` if the connection failed. On other errors, rolls back
   * and rethrows.
   */
  private async onConnection<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await this.connection();
    let broken: Error | undefined;
    // A lost connection fails the query and also emits `error`. Without a listener, `error` would end the process.
    const onLost = (fault: Error): void => void (broken = fault);
    client.on('error', onLost);
    try {
      return await work(client);
    } catch (error) {
      await client.query('ROLLBACK').catch(onLost);
      throw broken === undefined ? error : new ConnectionLost(error);
    } finally {
      client.off('error', onLost);
      client.release(broken);
    }
  }

  private async connection(): Promise<PoolClient> {
    try {
      return await this.pool.connect();
    } catch (error) {
      throw new ConnectionLost(error);
    }
  }

  private async run(client: PoolClient, batch: readonly PendingUnit[]): Promise<GeneratedPositions> {
    for (const { unit } of batch)
      for (const write of unit.writes) if (!isRowWrite(write)) await execute(client, write);
    const groups = groupByShape(batch.map(({ unit }) => unit));
    const generated = new GeneratedPositions();
    for (const writes of groups) await executeRows(client, writes, generated);
    return generated;
  }
}

function settle(batch: readonly PendingUnit[], generated: GeneratedPositions): void {
  for (const pending of batch) committed(pending, generated.of(pending.unit), generated.previous);
}

/** Thrown when the connection failed. It is not thrown when only a statement failed. */
class ConnectionLost extends Error {
  constructor(override readonly cause: unknown) {
    super('The connection to the database was lost.', { cause });
  }
}

async function execute(
  client: PoolClient,
  { sql, parameters, orFail, onDuplicate }: Statement,
): Promise<void> {
  let result: QueryResult;
  try {
    result = await client.query(sql, [...parameters]);
  } catch (error) {
    throw onDuplicate !== undefined && codeOf(error) === UNIQUE_VIOLATION ? onDuplicate() : error;
  }
  if (orFail !== undefined && result.rowCount === 0) throw orFail();
}

const UNIQUE_VIOLATION = '23505';
const DEADLOCK = '40P01';

function codeOf(error: unknown): unknown {
  return (error as { code?: unknown }).code;
}

/**
 * Writes all rows of one shape. If a guard fails, the row count does not show which one. The whole commit is then
 * rolled back, and its units are retried one by one.
 */
async function executeRows(
  client: PoolClient,
  writes: readonly RowWrite[],
  generated: GeneratedPositions,
): Promise<void> {
  const first = writes[0];
  if (first === undefined) return;
  const { shape } = first;
  const columns: SqlValue[][] = first.row.map(() => []);
  for (const { row } of writes) row.forEach((value, index) => columns[index]?.push(value));
  const result: QueryResult<unknown[]> = await client.query({
    text: shape.postgres,
    values: columns,
    rowMode: 'array',
  });
  const guarded = writes.find(({ orFail }) => orFail !== undefined);
  if (guarded?.orFail !== undefined && result.rowCount !== writes.length) throw guarded.orFail();
  collect(writes, result.rows, generated);
}
