import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { isKnown, type JournalEvent, type ReadEvent } from '../execution-events/index.js';
import type { Json } from '../expressions/index.js';
import {
  DIALECT,
  type Dialect,
  FIRST,
  BatchLoader,
  PreparedQueries,
  SlowQueryRunner,
  marked,
  marksOf,
  type Statement,
} from '../storage/index.js';
import { BATCH_COLUMNS, type BatchPage, pageOf, pageOfProjectsSql, pageSql } from './batch-page.js';
import { type Batch, decodeBodies, decodeBody, lastSequence } from './batch.js';
import type { Cursor } from './cursor.js';
import { UnknownEventError } from './journal.errors.js';
import { attach, lacksItems } from './payload.js';
import { PayloadRepository } from './payload.repository.js';

/**
 * Maximum distance from the end of the journal, in commits, at which a feed is read directly. A direct read
 * takes about a millisecond. A read from farther back runs as a slow query, unless an index fits its filter.
 */
const NEAR = 1_000;

/**
 * Distance between the positions of two consecutive transactions on PostgreSQL. The SQL function `journal_position_of`
 * contains the same number.
 */
export const POSITIONS_OF_TRANSACTION = 1_024;

const BATCHES_IN_PART = 16;

/**
 * Maximum number of events of a journal that counts as short. One statement can read the short journals of
 * several executions.
 */
export const FEW_EVENTS = 32;

/** Maximum number of batches that one read of awaited executions returns. */
const MAX_AWAITED_BATCHES = 512;

/**
 * SQL condition for an execution's batches that contain events after a sequence. The database finds the first batch
 * with one index seek.
 */
const OF_EXECUTION = `execution_id IN (?) AND first_sequence >= coalesce((
    SELECT max(j.first_sequence) FROM journal AS j WHERE j.execution_id = ? AND j.first_sequence <= ?
  ), 0) AND last_sequence > ?`;

interface BatchRow {
  readonly position: number | string;
  readonly id: string;
  readonly execution_id: string;
  readonly project_id: string;
  readonly workflow_id: string;
  readonly session_id: string | null;
  readonly first_sequence: number;
  readonly last_sequence: number;
  readonly body: string;
}

interface PageRow extends BatchRow {
  readonly candidates: number | string;
}

/**
 * A row of a query for new batches. Without new batches, the only row contains just `newest` and `settled`.
 */
type TailRow = {
  readonly newest: number | string | null;
  readonly settled: number | string | null;
} & (PageRow | { readonly position: null });

export interface TailPage extends BatchPage {
  /**
   * The highest committed position of the selected projects. Transactions in progress may still commit lower positions.
   */
  readonly newest: number;
  /** The highest stored position in the range that was read; 0 if the range is empty. */
  readonly settled: number;
}

export interface FeedFilter {
  readonly projectIds: readonly string[];
  readonly executionId?: string;
  readonly workflowId?: string;
  readonly sessionId?: string;
}

export interface JournalBounds {
  /**
   * The highest position that retention has deleted; 0 if retention has deleted nothing. Batches up to this
   * position may be missing.
   */
  readonly floor: number;
  readonly oldest: number;
  /** The highest committed position of the journal. Transactions in progress may still get lower positions. */
  readonly newest: number;
}

export interface AwaitedEvents {
  readonly executionId: string;
  readonly after: number;
}

/**
 * A transaction in progress that delays the feed. Until the transaction ends, readers of the feed receive no later
 * batches.
 */
export interface BlockingTransaction {
  /** Process id of the PostgreSQL connection. Null for a prepared transaction, which has no connection. */
  readonly pid: number | null;
  /** Name of the prepared transaction in `pg_prepared_xacts`. Null for an ordinary transaction. */
  readonly preparedTransaction: string | null;
  /** Milliseconds since the transaction began. Null if the database role may not see the transaction. */
  readonly ageMs: number | null;
  /**
   * Start of the transaction's last query, ISO 8601. Null if the database role may not see the transaction, and for
   * prepared transactions.
   */
  readonly queryStart: string | null;
  readonly applicationName: string | null;
}

/** How long committed batches have been waiting for earlier transactions. */
export interface FeedDelay {
  /**
   * Age in milliseconds of the oldest committed batch that waits for earlier transactions. 0 if no batch
   * waits.
   */
  readonly ms: number;
  /**
   * The transaction that delays the feed. Null if the delay is below 5 s (`FEED_DELAYED_MS`), and always on
   * SQLite.
   */
  readonly by: BlockingTransaction | null;
}

/**
 * Milliseconds that a committed batch may wait for earlier transactions before the feed counts as delayed.
 */
export const FEED_DELAYED_MS = 5_000;

@Injectable()
export class JournalRepository {
  private readonly kept: PreparedQueries;
  private readonly payloads: PayloadRepository;
  /**
   * The first journal position that a transaction in progress may still use. Positions below the horizon are called
   * settled: they are committed, or never used. Only for PostgreSQL.
   */
  private horizon = 0;
  private readonly short = new BatchLoader((executionIds) => this.ofExecutions(executionIds));

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(DIALECT) private readonly dialect: Dialect,
    private readonly slowQueries: SlowQueryRunner,
  ) {
    this.payloads = new PayloadRepository(dataSource, dialect);
    this.kept = new PreparedQueries(dataSource);
  }

  /**
   * Reads the batches of one execution after a sequence, in order. Returns fewer than `limit` batches if their bodies
   * exceed `PAGE_BYTES`.
   */
  async ofExecution(executionId: string, afterSequence: number, limit: number): Promise<BatchPage> {
    const rows = await this.query<PageRow>(pageSql(OF_EXECUTION, 'first_sequence', limit), [
      executionId,
      executionId,
      afterSequence + 1,
      afterSequence,
    ]);
    return pageOf(rows, limit, toBatch);
  }

  /**
   * Reads the batches of many executions after a cursor, ordered by position. Returns fewer than `limit` batches if
   * their bodies exceed `PAGE_BYTES`.
   * @param upTo the last position to read; no later commit may get a lower position. Default: the last settled position
   */
  async feed(filter: FeedFilter, after: Cursor, limit: number, upTo?: number): Promise<BatchPage> {
    if (filter.projectIds.length === 0) return { batches: [], hasMore: false };
    const isOneProject = filter.projectIds.length === 1 && filter.executionId === undefined;
    // The prefix `+` of the column stops SQLite from using the index by project. That index would not return the
    // batches of several projects in the order of positions.
    const project = this.dialect === 'sqlite' && !isOneProject ? '+project_id' : 'project_id';
    const conditions = ['position >= ?', `${project} IN (${marksOf(filter.projectIds)})`];
    const parameters: unknown[] = [
      after.index === null ? after.position + 1 : after.position,
      ...filter.projectIds,
    ];
    for (const [column, value] of [
      ['execution_id', filter.executionId],
      ['workflow_id', filter.workflowId],
      ['session_id', filter.sessionId],
    ] as const) {
      if (value === undefined) continue;
      conditions.push(`${column} IN (?)`);
      parameters.push(value);
    }
    if (upTo !== undefined) {
      conditions.push('position <= ?');
      parameters.push(upTo);
    }
    if (upTo === undefined && this.dialect === 'postgres') {
      conditions.push('position < ?');
      parameters.push(await this.refreshedHorizon());
    }
    const sql = pageSql(conditions.join(' AND '), 'position', limit);
    const near = this.dialect === 'sqlite' ? NEAR : NEAR * POSITIONS_OF_TRANSACTION;
    const rows =
      isInIndex(filter) || (upTo ?? (await this.newest())) - after.position < near
        ? await this.query<PageRow>(sql, parameters)
        : await this.slowQueries.rows<PageRow>(sql, parameters, FIRST);
    return pageOf(rows, limit, toBatch);
  }

  private async newest(): Promise<number> {
    const [row] = await this.query<{ readonly newest: number | string | null }>(
      'SELECT max(position) AS newest FROM journal',
      [],
    );
    return Number(row?.newest ?? 0);
  }

  /**
   * Reads batches after a position, in the order of positions. Stops before the first position that a transaction in
   * progress may still use.
   * @param made batches in memory by position, which are returned without decoding their rows again
   * @param projectIds the projects to read; null for all projects. SQLite always reads all projects
   */
  async after(
    position: number,
    limit: number,
    made: ReadonlyMap<number, Batch>,
    projectIds: readonly string[] | null = null,
  ): Promise<TailPage> {
    return this.tailPage(this.settledAfter(position), limit, made, projectIds);
  }

  /**
   * Reads all committed batches between two positions. A transaction in progress may still add batches to this range.
   */
  async between(position: number, upTo: number, limit: number): Promise<TailPage> {
    return this.tailPage(['position > ? AND position <= ?', [position, upTo]], limit, new Map(), null);
  }

  private async tailPage(
    [range, bounds]: readonly [string, readonly number[]],
    limit: number,
    made: ReadonlyMap<number, Batch>,
    projectIds: readonly string[] | null,
  ): Promise<TailPage> {
    const selected = this.dialect === 'sqlite' ? null : projectIds;
    const [newest, page] =
      selected === null
        ? ['SELECT max(position) FROM journal', pageSql(range, 'position', limit)]
        : [
            `SELECT max(latest.position) FROM unnest(?::uuid[]) AS selected(id)
             CROSS JOIN LATERAL (SELECT max(position) AS position FROM journal WHERE project_id = selected.id) AS latest`,
            pageOfProjectsSql(range, limit),
          ];
    const sql = marked(
      this.dialect,
      `SELECT tip.*, page.*
       FROM (SELECT (${newest}) AS newest, (SELECT max(position) FROM journal WHERE ${range}) AS settled) AS tip
       LEFT JOIN (${page}) AS page ON 1 = 1 ORDER BY page.position`,
    );
    const lists = selected === null ? [] : [selected];
    const parameters = [...lists, ...bounds, ...lists, ...bounds];
    const found =
      this.dialect === 'postgres'
        ? await this.kept.query<TailRow>(sql, parameters)
        : await this.query<TailRow>(sql, parameters);
    const rows = found.filter((row): row is TailRow & PageRow => row.position !== null);
    return {
      ...pageOf(rows, limit, (row) => made.get(Number(row.position)) ?? toBatch(row)),
      newest: Number(found[0]?.newest ?? 0),
      settled: Number(found[0]?.settled ?? 0),
    };
  }

  /**
   * Reads the new batches of executions for which requests wait. Batches are returned even if a transaction in progress
   * may still get an earlier position.
   *
   * The statement seeks the index once per execution. With an ordinary join, PostgreSQL may read the whole index instead,
   * in the order of the result, depending on the statistics of the table.
   */
  async awaited(executions: readonly AwaitedEvents[]): Promise<readonly Batch[]> {
    const rows = await this.kept.query<BatchRow>(
      `SELECT found.* FROM unnest($1::uuid[], $2::integer[]) AS awaited(execution, known) CROSS JOIN LATERAL (
         SELECT ${BATCH_COLUMNS} FROM journal
         WHERE execution_id = awaited.execution AND first_sequence > awaited.known
         ORDER BY first_sequence LIMIT ${MAX_AWAITED_BATCHES}
       ) AS found ORDER BY found.execution_id, found.first_sequence LIMIT ${MAX_AWAITED_BATCHES}`,
      [executions.map(({ executionId }) => executionId), executions.map(({ after }) => String(after))],
    );
    return rows.map(toBatch);
  }

  /** Returns the highest settled position of the journal: every later commit gets a higher position. */
  async settled(): Promise<number> {
    if (this.dialect === 'postgres') await this.refreshedHorizon();
    const [range, parameters] = this.settledAfter(0);
    const [row] = await this.query<{
      readonly newest: number | string | null;
      readonly floor: number | string | null;
    }>(
      `SELECT (SELECT max(position) FROM journal WHERE ${range}) AS newest,
        (SELECT position FROM journal_floor WHERE id = 1) AS floor`,
      parameters,
    );
    return Math.max(Number(row?.newest ?? 0), Number(row?.floor ?? 0));
  }

  /**
   * Raises the horizon to the first position that a transaction in progress in this database may still use. Ignores
   * transactions of other databases on the server.
   */
  async advanceHorizon(): Promise<void> {
    const [row] = await this.query<{ readonly horizon: string }>(
      'SELECT journal_database_horizon() AS horizon',
      [],
    );
    this.horizon = Math.max(this.horizon, Number(row?.horizon ?? 0));
  }

  private async refreshedHorizon(): Promise<number> {
    const [row] = await this.query<{ readonly horizon: string; readonly newest: string | null }>(
      'SELECT journal_horizon() AS horizon, (SELECT max(position) FROM journal) AS newest',
      [],
    );
    this.horizon = Math.max(this.horizon, Number(row?.horizon ?? 0));
    if (Number(row?.newest ?? 0) >= this.horizon) await this.advanceHorizon();
    return this.horizon;
  }

  /**
   * Returns the SQL condition for settled batches after a position. On PostgreSQL, a batch is settled when no
   * transaction in progress can still commit at a lower position. On SQLite, all batches are settled.
   */
  private settledAfter(position: number): readonly [string, readonly number[]] {
    if (this.dialect === 'sqlite') return ['position > ?', [position]];
    return ['position > ? AND position < greatest(journal_horizon(), ?)', [position, this.horizon]];
  }

  /**
   * Ensures that new positions are higher than existing positions. After a restore or a move of the database,
   * transaction ids may start lower than before.
   * @returns whether the offset of new positions was raised
   */
  async renewOrder(): Promise<boolean> {
    if (this.dialect === 'sqlite') return false;
    const [row] = await this.query<{ readonly moved: boolean }>('SELECT journal_renew_offset() AS moved', []);
    return row?.moved === true;
  }

  /**
   * Returns the oldest transaction in progress in this database that has a transaction id. Only such transactions delay
   * the feed.
   */
  async blocking(): Promise<BlockingTransaction | undefined> {
    const [row] = await this.query<{
      readonly pid: number | null;
      readonly gid: string | null;
      readonly age_ms: number | string | null;
      readonly query_start: Date | null;
      readonly application_name: string | null;
    }>(
      `SELECT pid, gid, extract(epoch FROM clock_timestamp() - began) * 1000 AS age_ms, query_start, application_name
       FROM (
         SELECT backend_xid AS xid, pid, NULL AS gid, xact_start AS began, query_start, application_name
         FROM pg_stat_activity WHERE backend_xid IS NOT NULL AND datname = current_database()
         UNION ALL
         SELECT transaction, NULL, gid, prepared, NULL, NULL FROM pg_prepared_xacts
         WHERE database = current_database()
       ) AS running
       ORDER BY age(xid) DESC LIMIT 1`,
      [],
    );
    if (row === undefined) return undefined;
    return {
      pid: row.pid,
      preparedTransaction: row.gid,
      ageMs: row.age_ms === null ? null : Math.round(Number(row.age_ms)),
      queryStart: row.query_start?.toISOString() ?? null,
      applicationName: row.application_name === '' ? null : row.application_name,
    };
  }

  /** Returns how long the oldest committed batch has been waiting for earlier transactions. */
  async delay(): Promise<FeedDelay> {
    if (this.dialect === 'sqlite') return { ms: 0, by: null };
    const [row] = await this.query<{ readonly ms: number | string }>(
      `SELECT extract(epoch FROM clock_timestamp() - created_at) * 1000 AS ms FROM journal
       WHERE position >= (SELECT journal_database_horizon()) ORDER BY position LIMIT 1`,
      [],
    );
    const ms = Math.max(0, Math.round(Number(row?.ms ?? 0)));
    return { ms, by: ms < FEED_DELAYED_MS ? null : ((await this.blocking()) ?? null) };
  }

  /** Returns the commit time of the first batch after a position, in epoch milliseconds. */
  async timeAfter(position: number): Promise<number | undefined> {
    const [row] = await this.query<{ readonly created_at: string | Date }>(
      'SELECT created_at FROM journal WHERE position > ? ORDER BY position LIMIT 1',
      [position],
    );
    return row === undefined ? undefined : new Date(row.created_at).getTime();
  }

  async bounds(): Promise<JournalBounds> {
    const [row] = await this.query<Readonly<Record<'oldest' | 'newest' | 'floor', number | string | null>>>(
      // Separate subqueries use the index. For one query with `min` and `max`, SQLite would scan the whole index.
      `SELECT (SELECT min(position) FROM journal) AS oldest, (SELECT max(position) FROM journal) AS newest,
        (SELECT position FROM journal_floor WHERE id = 1) AS floor`,
      [],
    );
    const floor = Number(row?.floor ?? 0);
    return {
      floor,
      // After a deletion, the journal begins after the highest deleted position. The lowest stored position
      // may be higher, because positions have gaps.
      oldest: floor === 0 ? Number(row?.oldest ?? 1) : floor + 1,
      newest: Math.max(Number(row?.newest ?? 0), floor),
    };
  }

  /**
   * Returns the statements that delete the events, long values and checkpoints of executions, and record the highest
   * deleted position.
   */
  removal(executionIds: readonly string[]): readonly Statement[] {
    const among = `execution_id IN (${marksOf(executionIds)})`;
    return [
      // Without a deleted batch, the maximum would be null, which the column `position` does not accept. `HAVING`
      // prevents that insert.
      `INSERT INTO journal_floor (id, position)
       SELECT 1, max(position) FROM journal WHERE ${among} HAVING max(position) IS NOT NULL
       ON CONFLICT (id) DO UPDATE SET position = excluded.position WHERE journal_floor.position < excluded.position`,
      `DELETE FROM journal WHERE ${among}`,
      `DELETE FROM payloads WHERE ${among}`,
      `DELETE FROM checkpoints WHERE ${among}`,
    ].map((sql) => ({ sql: marked(this.dialect, sql), parameters: executionIds }));
  }

  async sizes(
    executionIds: readonly string[],
  ): Promise<ReadonlyMap<string, { readonly journal: number; readonly payloads: number }>> {
    if (executionIds.length === 0) return new Map();
    const [batches, payloads] = await Promise.all(
      ['journal', 'payloads'].map((table) =>
        this.query<{ execution_id: string; bytes: number | string }>(
          `SELECT execution_id, sum(octet_length(body)) AS bytes FROM ${table}
           WHERE execution_id IN (${marksOf(executionIds)}) GROUP BY execution_id`,
          executionIds,
        ),
      ),
    );
    const long = new Map(payloads?.map(({ execution_id: id, bytes }) => [id, Number(bytes)]));
    return new Map(
      batches?.map(({ execution_id: id, bytes }) => [
        id,
        { journal: Number(bytes), payloads: long.get(id) ?? 0 },
      ]),
    );
  }

  /** Returns the total bytes of an execution's batches and long values after a sequence. */
  async sizeAfter(executionId: string, sequence: number): Promise<number> {
    const sizes = await Promise.all(
      [
        ['journal', 'first_sequence'],
        ['payloads', 'sequence'],
      ].map(([table, column]) =>
        this.query<{ bytes: number | string | null }>(
          `SELECT sum(octet_length(body)) AS bytes FROM ${table} WHERE execution_id = ? AND ${column} > ?`,
          [executionId, sequence],
        ),
      ),
    );
    return sizes.reduce((sum, [row]) => sum + Number(row?.bytes ?? 0), 0);
  }

  /**
   * Returns all events of an execution after a sequence. Long values are not loaded.
   * @throws UnknownEventError
   */
  async whole(executionId: string, afterSequence: number): Promise<readonly JournalEvent[]> {
    const events: JournalEvent[] = [];
    for await (const part of this.parts(executionId, afterSequence))
      for (const event of part) events.push(event);
    return events;
  }

  /**
   * Yields the events of an execution in parts, so that a long journal is never completely in memory.
   * @throws UnknownEventError
   */
  async *parts(executionId: string, afterSequence = 0): AsyncGenerator<readonly JournalEvent[]> {
    for await (const batches of this.batches(executionId, afterSequence)) {
      const events = await this.withItems(executionId, batches);
      const skipped = Math.max(0, afterSequence + 1 - (batches[0]?.firstSequence ?? 0));
      yield skipped === 0 ? events : events.slice(skipped);
    }
  }

  /**
   * Yields the events of an execution in parts. Start events of loops do not contain their lists of items.
   * @throws UnknownEventError
   */
  async *slimParts(executionId: string): AsyncGenerator<readonly JournalEvent[]> {
    for await (const batches of this.batches(executionId))
      yield batches.flatMap(({ events }) => events.map(known));
  }

  /**
   * Returns the first events of an execution up to a sequence. The events contain neither long values nor the item
   * lists of loops.
   */
  async firstEvents(executionId: string, upTo: number): Promise<readonly ReadEvent[]> {
    const read: ReadEvent[] = [];
    for await (const batches of this.batches(executionId)) {
      for (const { events } of batches) for (const event of events) read.push(event);
      if (read.length >= upTo) break;
    }
    return read.slice(0, upTo);
  }

  private async *batches(executionId: string, afterSequence = 0): AsyncGenerator<readonly Batch[]> {
    for (let after = afterSequence; ;) {
      const { batches, hasMore } = await this.ofExecution(executionId, after, BATCHES_IN_PART);
      const last = batches.at(-1);
      if (last === undefined) return;
      after = lastSequence(last);
      yield batches;
      if (!hasMore) return;
    }
  }

  /**
   * Yields the events of an execution that this process has claimed. Concurrent reads of short journals share one
   * statement.
   * @param length sequence of the last event, from the execution's row
   * @param bodies the batch bodies that the claim read, joined by commas; null if the claim read no bodies
   * @param after sequence after which a long journal is read
   * @throws UnknownEventError
   */
  async *partsOfClaimed(
    executionId: string,
    length: number,
    bodies: string | null,
    after = 0,
  ): AsyncGenerator<readonly JournalEvent[]> {
    if (length > FEW_EVENTS) {
      yield* this.parts(executionId, after);
      return;
    }
    const brought = bodies === null ? [] : decodeBodies(bodies);
    // If the claim read the journal in an older snapshot than the execution's row, `bodies` is incomplete.
    // The journal is then read again.
    const batches =
      brought.length === length
        ? [{ firstSequence: 1, events: brought }]
        : ((await this.short.find(executionId)) ?? []);
    yield await this.withItems(executionId, batches);
  }

  private async ofExecutions(
    executionIds: readonly string[],
  ): Promise<ReadonlyMap<string, readonly Batch[]>> {
    const rows = await this.query(
      `SELECT ${BATCH_COLUMNS} FROM journal WHERE execution_id IN (${marksOf(executionIds)}) ORDER BY execution_id, first_sequence`,
      executionIds,
    );
    return Map.groupBy(rows.map(toBatch), ({ executionId }) => executionId);
  }

  /**
   * Returns the events of batches. Start events of loops get their lists of items, which are stored outside of the
   * events if they are long.
   * @throws UnknownEventError
   */
  private async withItems(
    executionId: string,
    batches: readonly Pick<Batch, 'firstSequence' | 'events'>[],
  ): Promise<readonly JournalEvent[]> {
    const events: JournalEvent[] = [];
    for (const { firstSequence, events: all } of batches)
      for (const [index, event] of all.map(known).entries())
        events.push(
          lacksItems(event) ? await this.withInput(executionId, firstSequence + index, event) : event,
        );
    return events;
  }

  private async withInput(executionId: string, sequence: number, event: JournalEvent): Promise<JournalEvent> {
    const text = await this.payloads.text(executionId, sequence, 'input');
    return text === undefined ? event : attach(event, 'input', JSON.parse(text) as Json);
  }

  private query<Row = BatchRow>(sql: string, parameters: readonly unknown[]): Promise<readonly Row[]> {
    return this.dataSource.query<readonly Row[]>(marked(this.dialect, sql), [...parameters]);
  }
}

/**
 * Whether an index yields the rows of a feed in commit order. Without such an index, the database scans all batches
 * after the cursor.
 */
function isInIndex({ projectIds, executionId, workflowId, sessionId }: FeedFilter): boolean {
  return (
    executionId !== undefined ||
    sessionId !== undefined ||
    (projectIds.length === 1 && workflowId === undefined)
  );
}

function toBatch(row: BatchRow): Batch {
  return {
    id: row.id,
    position: Number(row.position),
    executionId: row.execution_id,
    projectId: row.project_id,
    workflowId: row.workflow_id,
    sessionId: row.session_id,
    firstSequence: row.first_sequence,
    events: decodeBody(row.body),
  };
}

function known(event: ReadEvent): JournalEvent {
  if (isKnown(event)) return event;
  throw new UnknownEventError(event);
}
