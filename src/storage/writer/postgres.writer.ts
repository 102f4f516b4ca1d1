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

/** Maximum number of commits in progress, each on its own connection. */
const MAX_COMMITS = 2;

/**
 * Duration of a slow commit in milliseconds. After a slow commit, two commits may run at the same time. After a faster
 * commit, units of work wait and share one commit, which costs less.
 */
const SLOW_MS = 3;

/**
 * Group commit on PostgreSQL: units of work that arrive during a commit share the next commit. Rows that are written
 * with the same SQL (`RowShape`) share one statement with array parameters. After a failed commit, the units are
 * retried one by one.
 */
export class PostgresWriter extends Writer {
  private readonly queue = new CommitQueue();
  private readonly inProgress = new Set<Promise<void>>();
  private readonly keys = new Set<string>();
  private isScheduled = false;
  private lastMs = 0;
  private readonly health = new CommitHealth(false);

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

  /** Waits for all commits. Leaves the connection pool open. */
  close(): Promise<void> {
    return this.drain();
  }

  /** Schedules one commit for all units of work that arrive in this turn of the event loop. */
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
    const pipelined = new PipelinedCommit(batch.map(({ unit }) => unit));
    const { steps } = pipelined;
    const isTooLong = steps !== null && isLong(steps);
    if (isTooLong && batch.length > 1) {
      const half = Math.ceil(batch.length / 2);
      await this.flush(batch.slice(0, half));
      return await this.flush(batch.slice(half));
    }
    try {
      if (steps !== null && !isTooLong) await this.commitPipelined(pipelined, steps, batch);
      else await this.transaction((client) => this.run(client, batch), batch);
      this.health.succeeded();
    } catch (error) {
      this.health.failed(error);
      // After a lost connection, the outcome of the commit is unknown, so the commit must not be retried.
      if (error instanceof ConnectionLost) for (const { reject } of batch) reject(error.cause);
      // PostgreSQL rolled the commit back to resolve a deadlock. A retry succeeds once the other transaction has ended.
      else if (codeOf(error) === DEADLOCK) await this.flush(batch);
      else if ((steps !== null && !isTooLong) || batch.length > 1)
        for (const pending of batch) await this.flushAlone(pending);
      else batch[0]?.reject(error);
    }
  }

  /** Commits one unit of work in a transaction of its own, so that an error rejects only this unit. */
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

  private async commitPipelined(
    pipelined: PipelinedCommit,
    steps: readonly Step[],
    batch: readonly PendingUnit[],
  ): Promise<void> {
    const results = await this.onConnection((client) => client.query(new Pipeline(steps)).done);
    settle(batch, pipelined.generated(results));
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
   * Runs work on a connection of the pool. After an error, rolls the transaction back.
   *
   * @throws ConnectionLost if the connection failed
   */
  private async onConnection<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await this.connection();
    let broken: Error | undefined;
    // A lost connection also emits the event `error`. Without a listener, this event would end the process.
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

/** Thrown when the connection to the database failed, but not when only a statement failed. */
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
 * Writes all rows that share the same SQL (`RowShape`) in one statement. The row count does not show which
 * row failed its condition (guard), so a failed condition rolls the whole commit back.
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
