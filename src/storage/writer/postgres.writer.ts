import type { Pool, PoolClient, QueryResult } from 'pg';
import { PipelinedCommit, collect, generates, groupByShape, isLong, NOTIFY } from './postgres-batch.js';
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

/**
 * Group commit on PostgreSQL: one commit runs at a time, and units that arrive meanwhile share the next. Rows of one
 * shape become one statement over arrays. If the server can check the guards by itself, all statements are pipelined.
 * If a commit fails, nothing is written and its units are retried one by one.
 */
export class PostgresWriter extends Writer {
  private readonly queue = new CommitQueue();
  private flushing: Promise<void> | null = null;
  /** Backend process ids of the writer's connections. */
  private readonly backends = new Set<number>();
  private readonly health = new CommitHealth();

  constructor(private readonly pool: Pool) {
    super();
  }

  /** Whether a notification from a backend announces this writer's own commit. */
  owns(backend: number): boolean {
    return this.backends.has(backend);
  }

  commit(unit: UnitOfWork): Promise<void> {
    const done = this.queue.add(unit);
    this.startFlushing();
    return done;
  }

  onCommit(listener: CommitListener): void {
    this.health.listenWith(listener);
  }

  check(): void {
    this.health.check();
  }

  async drain(): Promise<void> {
    while (this.flushing !== null) await this.flushing;
  }

  /** The writer does not own the pool, so it stays open. */
  close(): Promise<void> {
    return this.drain();
  }

  private startFlushing(): void {
    this.flushing ??= inBackground(() => this.flushAll()).finally(() => {
      this.flushing = null;
      // Without this check, units added after the last queue check would wait forever.
      if (!this.queue.isEmpty) this.startFlushing();
    });
  }

  private async flushAll(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    while (!this.queue.isEmpty) {
      const batch = this.queue.take();
      this.health.begun(batch.length);
      await this.flush(batch);
      this.queue.settled(batch);
      this.health.answered();
    }
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
      this.health.wrote();
    } catch (error) {
      this.health.failed(error);
      // The outcome of a commit is unknown if its connection is lost, so it must not be retried.
      if (error instanceof ConnectionLost) for (const { reject } of batch) reject(error.cause);
      // PostgreSQL rolled everything back to resolve the deadlock; a retry succeeds once the other process is done.
      else if (codeOf(error) === DEADLOCK) await this.flush(batch);
      else if ((steps !== null && !isTooLong) || batch.length > 1)
        for (const pending of batch) await this.flushAlone(pending);
      else batch[0]?.reject(error);
    }
  }

  /** Runs statements one by one, to find out which one fails. */
  private async flushAlone(pending: PendingUnit): Promise<void> {
    try {
      await this.transaction((client) => this.run(client, [pending]), [pending]);
      this.health.wrote();
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
    const order = atOnce.isInOrder ? [LOCK] : [];
    const results = await this.onConnection(
      (client) => client.query(new Pipeline([...order, ...steps])).done,
    );
    const generated = atOnce.generated(results.slice(order.length));
    for (const pending of batch) committed(pending, generatedFor(pending.unit, generated));
  }

  private async transaction(
    work: (client: PoolClient) => Promise<readonly (readonly (number | null)[])[]>,
    batch: readonly PendingUnit[],
  ): Promise<void> {
    const generated = await this.onConnection(async (client) => {
      const isInOrder = batch.some(({ unit }) => generates(unit));
      await client.query(isInOrder ? `BEGIN; ${LOCK.text}` : 'BEGIN');
      const found = await work(client);
      await client.query(isInOrder ? `${NOTIFY.text}; COMMIT` : 'COMMIT');
      return found;
    });
    batch.forEach((pending, index) => committed(pending, generated[index] ?? []));
  }

  /** Rejects with `ConnectionLost` if the connection failed. Otherwise it rolls back and rethrows. */
  private async onConnection<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await this.connection();
    let broken: Error | undefined;
    // A lost connection fails the query and also emits `error`, which ends the process if there is no listener.
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
      const client = await this.pool.connect();
      this.remember(client);
      return client;
    } catch (error) {
      throw new ConnectionLost(error);
    }
  }

  private remember(client: PoolClient): void {
    const { processID: backend } = client as { readonly processID?: number | null };
    if (typeof backend !== 'number' || this.backends.has(backend)) return;
    this.backends.add(backend);
    client.once('end', () => this.backends.delete(backend));
  }

  private async run(
    client: PoolClient,
    batch: readonly PendingUnit[],
  ): Promise<readonly (readonly (number | null)[])[]> {
    for (const { unit } of batch)
      for (const write of unit.writes) if (!isRowWrite(write)) await execute(client, write);
    const groups = groupByShape(batch.map(({ unit }) => unit));
    const generated = new Map<RowWrite, number>();
    for (const writes of groups) await executeRows(client, writes, generated);
    return batch.map(({ unit }) => generatedFor(unit, generated));
  }
}

/** The value that the database generated for each write of a unit. */
function generatedFor(
  { writes }: UnitOfWork,
  generated: ReadonlyMap<RowWrite, number>,
): readonly (number | null)[] {
  return writes.map((write) => (isRowWrite(write) ? (generated.get(write) ?? null) : null));
}

/**
 * Serializes transactions that generate positions, across all processes. So positions follow commit order, and a reader
 * that continues after its last position misses none. Taken first, the lock cannot cause a deadlock.
 */
const LOCK: Step = {
  text: "SELECT pg_advisory_xact_lock(hashtext('positions'))",
  values: [],
  isKept: true,
};

/** Thrown when the connection failed, not the statements sent over it. */
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
 * Writes all rows of one shape. The row count does not show whose guard failed, so the whole commit is rolled back and
 * its units are retried alone.
 */
async function executeRows(
  client: PoolClient,
  writes: readonly RowWrite[],
  generated: Map<RowWrite, number>,
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
