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
  insertShape,
  PreparedQueries,
  SlowQueryRunner,
  marked,
  marksOf,
  type Statement,
  type Write,
} from '../storage/index.js';
import { isoTime } from '../platform/index.js';
import { BATCH_COLUMNS, type BatchPage, pageOf, pageSql } from './batch-page.js';
import { type Batch, decodeBodies, decodeBody, type JournalScope, lastSequence } from './batch.js';
import type { Cursor } from './cursor.js';
import { UnknownEventError } from './journal.errors.js';
import { attach, lacksItems, type StoredEvents, storedEvents } from './payload.js';
import { PayloadRepository } from './payload.repository.js';

const INSERT_BATCH = insertShape(
  'journal',
  {
    id: 'uuid',
    execution_id: 'uuid',
    project_id: 'uuid',
    workflow_id: 'uuid',
    session_id: 'uuid',
    first_sequence: 'integer',
    last_sequence: 'integer',
    created_at: 'timestamptz',
    body: 'text',
  },
  { column: 'position', key: ['execution_id', 'first_sequence'] },
);

/** Number of positions that a scan covers in about a millisecond. Readers that are nearly live are within it. */
const NEAR = 1_000;

/** Maximum number of batches per read when a journal is read in parts. */
const BATCHES_IN_PART = 16;

/** Maximum number of events of a short journal. Many short journals together fit in memory. */
export const FEW_EVENTS = 32;

/**
 * Condition for batches with events after a sequence. The batch of the next event is found by an index seek, whatever
 * the length of the journal.
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

/** Filter of a read across executions. */
export interface FeedFilter {
  readonly projectIds: readonly string[];
  readonly executionId?: string;
  readonly workflowId?: string;
  readonly sessionId?: string;
}

/** Range of the journal, as positions. */
export interface JournalBounds {
  /** The highest deleted position; 0 if nothing was deleted. The journal before it is incomplete. */
  readonly floor: number;
  readonly oldest: number;
  readonly newest: number;
}

/** Reads and writes the journal. */
@Injectable()
export class JournalRepository {
  private readonly kept: PreparedQueries;
  private readonly payloads: PayloadRepository;
  private readonly short = new BatchLoader((executionIds) => this.ofExecutions(executionIds));

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(DIALECT) private readonly dialect: Dialect,
    private readonly slowQueries: SlowQueryRunner,
  ) {
    this.payloads = new PayloadRepository(dataSource, dialect);
    this.kept = new PreparedQueries(dataSource);
  }

  /** The writes of a batch, and the batch as readers will see it, without its position. */
  writes(
    id: string,
    scope: JournalScope,
    firstSequence: number,
    events: readonly JournalEvent[],
  ): Pick<StoredEvents, 'bytes' | 'markStored'> & {
    readonly writes: readonly Write[];
    readonly batch: Omit<Batch, 'position'>;
  } {
    const { slim, body, payloads, bytes, markStored } = storedEvents(
      scope.executionId,
      firstSequence,
      events,
    );
    const batch = { id, ...scope, firstSequence, events: slim };
    const insert: Write = {
      shape: INSERT_BATCH,
      row: [
        id,
        scope.executionId,
        scope.projectId,
        scope.workflowId,
        scope.sessionId,
        firstSequence,
        lastSequence(batch),
        isoTime(events.at(-1)?.at ?? 0),
        body,
      ],
    };
    const writes = [insert, ...payloads.map((payload) => this.payloads.write(scope.executionId, payload))];
    return { batch, writes, bytes, markStored };
  }

  /** Batches of one execution with events after a sequence, in order. Returns fewer than `limit` if they are large. */
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
   * Batches of many executions after a cursor, in commit order. Returns fewer than `limit` if they are large.
   * @param upTo the last position to read; default: the newest
   */
  async feed(filter: FeedFilter, after: Cursor, limit: number, upTo?: number): Promise<BatchPage> {
    if (filter.projectIds.length === 0) return { batches: [], hasMore: false };
    const isOneProject = filter.projectIds.length === 1 && filter.executionId === undefined;
    // The plus stops SQLite from using its project index, which is not sorted by position across several projects.
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
    const sql = pageSql(conditions.join(' AND '), 'position', limit);
    const rows =
      isInIndex(filter) || (upTo ?? (await this.newest())) - after.position < NEAR
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
   * Batches of all executions after a position, in the order of their commits.
   * @param made by position; these are not made of their rows once more
   */
  async after(position: number, limit: number, made: ReadonlyMap<number, Batch>): Promise<BatchPage> {
    const rows =
      this.dialect === 'postgres'
        ? await this.kept.query<PageRow>(pageSql('position > $1', 'position', limit), [position])
        : await this.query<PageRow>(pageSql('position > ?', 'position', limit), [position]);
    return pageOf(rows, limit, (row) => made.get(Number(row.position)) ?? toBatch(row));
  }

  /** When the first batch after a position was written, in epoch milliseconds; undefined if there is none. */
  async timeAfter(position: number): Promise<number | undefined> {
    const [row] = await this.query<{ readonly created_at: string | Date }>(
      'SELECT created_at FROM journal WHERE position > ? ORDER BY position LIMIT 1',
      [position],
    );
    return row === undefined ? undefined : new Date(row.created_at).getTime();
  }

  /** The range of positions in the journal. */
  async bounds(): Promise<JournalBounds> {
    const [row] = await this.query<Readonly<Record<'oldest' | 'newest' | 'floor', number | string | null>>>(
      // Separate subqueries: in a single query, SQLite scans a whole index.
      `SELECT (SELECT min(position) FROM journal) AS oldest, (SELECT max(position) FROM journal) AS newest,
        (SELECT position FROM journal_floor WHERE id = 1) AS floor`,
      [],
    );
    const floor = Number(row?.floor ?? 0);
    return {
      floor,
      oldest: Math.max(Number(row?.oldest ?? 0), floor + 1),
      newest: Math.max(Number(row?.newest ?? 0), floor),
    };
  }

  /** Statements that delete all data of some executions and record how far back the journal is complete. */
  removal(executionIds: readonly string[]): readonly Statement[] {
    const among = `execution_id IN (${marksOf(executionIds)})`;
    return [
      // If no row matches, the maximum is null, which is not a valid position.
      `INSERT INTO journal_floor (id, position)
       SELECT 1, max(position) FROM journal WHERE ${among} HAVING max(position) IS NOT NULL
       ON CONFLICT (id) DO UPDATE SET position = excluded.position WHERE journal_floor.position < excluded.position`,
      `DELETE FROM journal WHERE ${among}`,
      `DELETE FROM payloads WHERE ${among}`,
      `DELETE FROM checkpoints WHERE ${among}`,
    ].map((sql) => ({ sql: marked(this.dialect, sql), parameters: executionIds }));
  }

  /** Bytes of the batches and long values, by execution. */
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

  /** Bytes of an execution's batches and long values after a sequence. */
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
   * All events of an execution after a sequence. Long values stay as references that `recordedValue` resolves.
   * @throws UnknownEventError
   */
  async whole(executionId: string, afterSequence: number): Promise<readonly JournalEvent[]> {
    const events: JournalEvent[] = [];
    for await (const part of this.parts(executionId, afterSequence))
      for (const event of part) events.push(event);
    return events;
  }

  /**
   * Yields all events after a sequence in parts, so that a long journal is never in memory as a whole.
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
   * Yields all events in parts, without the items of loops; for display.
   * @throws UnknownEventError
   */
  async *slimParts(executionId: string): AsyncGenerator<readonly JournalEvent[]> {
    for await (const batches of this.batches(executionId))
      yield batches.flatMap(({ events }) => events.map(known));
  }

  /** The first events of an execution as they are stored, up to a sequence; long values and items of loops left out. */
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
   * Yields the events of a claimed execution. Short journals that are requested concurrently are read in one statement.
   * @param length the last sequence of the execution's row
   * @param bodies the batch bodies that the claim read, joined by commas; null if it read none
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
    // The claim returns the newest version of the row, but reads the journal from its older snapshot. So the bodies may
    // be incomplete.
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

  /** The events of batches. Events that start a loop include the loop's items, which the fold needs. */
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

/** Whether an index yields the rows in commit order. Otherwise everything after the cursor is scanned. */
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

/** Rejects events of unknown types, for callers that interpret them. */
function known(event: ReadEvent): JournalEvent {
  if (isKnown(event)) return event;
  throw new UnknownEventError(event);
}
