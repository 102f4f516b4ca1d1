import type { Pool, PoolClient, QueryResult } from 'pg';
import { POSITIONS_TOPIC } from './postgres-notices.js';
import { CommitQueue, committed, type PendingUnit } from './group-commit.js';
import {
  isRowWrite,
  type RowWrite,
  type SqlValue,
  type Statement,
  type UnitOfWork,
  Writer,
} from './unit-of-work.js';

/**
 * Group commit on PostgreSQL: one commit is under way at a time, and what arrives meanwhile goes into the
 * next. Rows of one shape become one statement over arrays.
 */
export class PostgresWriter extends Writer {
  /** Other processes hear of a commit when, and only when, it is durable. */
  private readonly commitAndTell: string;
  private readonly queue = new CommitQueue();
  private flushing: Promise<void> | null = null;

  /** @param origin tells this process's commits from those of others, for `Notices` */
  constructor(
    private readonly pool: Pool,
    origin: string,
  ) {
    super();
    this.commitAndTell = `NOTIFY ${POSITIONS_TOPIC}, '${origin}'; COMMIT`;
  }

  commit(unit: UnitOfWork): Promise<void> {
    const done = this.queue.add(unit);
    this.startFlushing();
    return done;
  }

  async drain(): Promise<void> {
    while (this.flushing !== null) await this.flushing;
  }

  /** The pool is not its own. */
  close(): Promise<void> {
    return this.drain();
  }

  private startFlushing(): void {
    this.flushing ??= this.flushAll().finally(() => {
      this.flushing = null;
      // What came between the last look at the queue and here would wait for ever.
      if (!this.queue.isEmpty) this.startFlushing();
    });
  }

  private async flushAll(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    while (!this.queue.isEmpty) await this.flush(this.queue.take());
  }

  private async flush(batch: readonly PendingUnit[]): Promise<void> {
    try {
      await this.transaction((client) => this.run(client, batch), batch);
    } catch (error) {
      // Nobody knows what became of a commit whose connection was lost: it must not be tried again.
      if (error instanceof ConnectionLost) for (const { reject } of batch) reject(error.cause);
      // All of it was undone so that another process could go on; once that has, it goes through.
      else if (codeOf(error) === DEADLOCK) await this.flush(batch);
      else if (batch.length === 1) batch[0]?.reject(error);
      else for (const pending of batch) await this.flush([pending]);
    }
  }

  private async transaction(
    work: (client: PoolClient) => Promise<readonly (readonly (number | null)[])[]>,
    batch: readonly PendingUnit[],
  ): Promise<void> {
    const client = await this.connection();
    let broken: Error | undefined;
    // Beside the query that fails, a lost connection is told as an event, which ends the process if nobody listens.
    const onLost = (fault: Error): void => void (broken = fault);
    client.on('error', onLost);
    try {
      const isInOrder = batch.some(({ unit }) => generates(unit));
      await client.query(isInOrder ? BEGIN_IN_ORDER : 'BEGIN');
      const generated = await work(client);
      await client.query(isInOrder ? this.commitAndTell : 'COMMIT');
      batch.forEach((pending, index) => committed(pending, generated[index] ?? []));
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

  private async run(
    client: PoolClient,
    batch: readonly PendingUnit[],
  ): Promise<readonly (readonly (number | null)[])[]> {
    for (const { unit } of batch)
      for (const write of unit.writes) if (!isRowWrite(write)) await execute(client, write);
    const groups = groupByShape(batch.map(({ unit }) => unit));
    const generated = new Map<RowWrite, number>();
    for (const writes of groups) await executeRows(client, writes, generated);
    return batch.map(({ unit }) =>
      unit.writes.map((write) => (isRowWrite(write) ? (generated.get(write) ?? null) : null)),
    );
  }
}

/**
 * One such transaction at a time, whatever process it comes from: so positions are in the order of the commits,
 * and a reader that goes on after the last position it saw misses none. Taken first, it cannot be in a deadlock.
 */
const BEGIN_IN_ORDER = "BEGIN; SELECT pg_advisory_xact_lock(hashtext('positions'))";

function generates({ writes }: UnitOfWork): boolean {
  return writes.some((write) => isRowWrite(write) && write.shape.returning !== undefined);
}

/** Thrown when it was the connection that failed and not what was sent over it. */
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

function groupByShape(units: readonly UnitOfWork[]): Iterable<readonly RowWrite[]> {
  const groups = new Map<object, RowWrite[]>();
  for (const { writes } of units) {
    for (const write of writes) {
      if (!isRowWrite(write)) continue;
      const group = groups.get(write.shape);
      if (group === undefined) groups.set(write.shape, [write]);
      else group.push(write);
    }
  }
  return groups.values();
}

/**
 * Runs all rows of one shape. A guard that is lost cannot be told from the count of many rows, so the whole
 * commit is given up and its units are tried alone.
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
  if (shape.returning === undefined) return;
  const { key } = shape.returning;
  const byKey = new Map(
    writes.map((write) => [key.map((index) => String(write.row[index])).join('|'), write]),
  );
  for (const row of result.rows) {
    const write = byKey.get(row.slice(0, -1).map(String).join('|'));
    if (write !== undefined) generated.set(write, Number(row.at(-1)));
  }
}
