import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { isKnown, type Json, type JournalEvent, type ReadEvent } from '../engine/index.js';
import {
  DIALECT,
  type Dialect,
  FIRST,
  GatheredReads,
  insertShape,
  isoTime,
  KeptQueries,
  LongReads,
  marked,
  marksOf,
  type Statement,
  type Write,
} from '../platform/index.js';
import {
  type Batch,
  decodeBodies,
  decodeBody,
  encodeBody,
  type JournalScope,
  lastSequence,
} from './batch.js';
import type { Cursor } from './cursor.js';
import { UnknownEventError } from './journal.errors.js';
import { attach, detach, INLINE_LIMIT, lacksPayload, type Payload, type PayloadField } from './payload.js';

/** What a batch is read from. */
const COLUMNS =
  'position, id, execution_id, project_id, workflow_id, session_id, first_sequence, last_sequence, body';

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

const INSERT_PAYLOAD = insertShape('payloads', {
  execution_id: 'uuid',
  sequence: 'integer',
  field: 'text',
  body: 'text',
});

/** Positions that are looked at one by one in about a millisecond, as for everybody who is nearly live. */
const NEAR = 1_000;

/** Batches that are read at once where a journal is read part by part. */
const BATCHES_IN_PART = 16;

/** Events up to which a journal is short: many such ones together do not fill the memory. */
export const FEW_EVENTS = 32;

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

/** What limits a reading of all executions' events. */
export interface FeedFilter {
  readonly projectIds: readonly string[];
  readonly executionId?: string;
  readonly workflowId?: string;
  readonly sessionId?: string;
}

/** How far the journal reaches, in positions. */
export interface JournalBounds {
  /** The last of which something was removed; 0 where nothing was. What is left before it is not whole. */
  readonly floor: number;
  readonly oldest: number;
  readonly newest: number;
}

/** The journal's SQL. */
@Injectable()
export class JournalRepository {
  private readonly kept: KeptQueries;
  private readonly short = new GatheredReads((executionIds) => this.ofExecutions(executionIds));

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(DIALECT) private readonly dialect: Dialect,
    private readonly longReads: LongReads,
  ) {
    this.kept = new KeptQueries(dataSource);
  }

  /** The writes of a batch, and the batch as readers will see it (its position is not known yet). */
  writes(
    id: string,
    scope: JournalScope,
    firstSequence: number,
    events: readonly JournalEvent[],
  ): { readonly writes: readonly Write[]; readonly batch: Omit<Batch, 'position'> } {
    const { slim, body, payloads } = stored(scope.executionId, firstSequence, events);
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
    return {
      batch,
      writes: [
        insert,
        ...payloads.map((payload): Write => ({
          shape: INSERT_PAYLOAD,
          row: [scope.executionId, payload.sequence, payload.field, payload.body],
        })),
      ],
    };
  }

  /** Batches of one execution that hold an event after a sequence, in order. */
  async ofExecution(executionId: string, afterSequence: number, limit: number): Promise<readonly Batch[]> {
    const rows = await this.query(
      `SELECT ${COLUMNS} FROM journal WHERE execution_id IN (?) AND last_sequence > ? ORDER BY first_sequence LIMIT ${limit}`,
      [executionId, afterSequence],
    );
    return rows.map(toBatch);
  }

  /**
   * Batches of many executions from a cursor on, in the order of their commits.
   * @param upTo the last position that is looked at; without it, the newest
   */
  async feed(filter: FeedFilter, after: Cursor, limit: number, upTo?: number): Promise<readonly Batch[]> {
    if (filter.projectIds.length === 0) return [];
    const isOneProject = filter.projectIds.length === 1 && filter.executionId === undefined;
    // The plus keeps SQLite from its index by project, which for several projects is not in the order asked for.
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
    const sql = `SELECT ${COLUMNS} FROM journal WHERE ${conditions.join(' AND ')} ORDER BY position LIMIT ${limit}`;
    const rows =
      isInIndex(filter) || (upTo ?? (await this.newest())) - after.position < NEAR
        ? await this.query(sql, parameters)
        : await this.longReads.rows<BatchRow>(sql, parameters, FIRST);
    return rows.map(toBatch);
  }

  private async newest(): Promise<number> {
    const [row] = await this.query<{ readonly newest: number | string | null }>(
      'SELECT max(position) AS newest FROM journal',
      [],
    );
    return Number(row?.newest ?? 0);
  }

  /**
   * Batches of all executions after a position, in the order of their commits; on PostgreSQL, where others commit, too.
   * @param made by position; these are not made of their rows once more
   */
  async after(position: number, limit: number, made: ReadonlyMap<number, Batch>): Promise<readonly Batch[]> {
    const rows = await this.kept.query<BatchRow>(
      `SELECT ${COLUMNS} FROM journal WHERE position > $1 ORDER BY position LIMIT ${limit}`,
      [position],
    );
    return rows.map((row) => made.get(Number(row.position)) ?? toBatch(row));
  }

  /** How far the journal reaches. */
  async bounds(): Promise<JournalBounds> {
    const [row] = await this.query<Readonly<Record<'oldest' | 'newest' | 'floor', number | string | null>>>(
      // Look-ups of their own; asked for together, SQLite reads a whole index.
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

  /** Removes all that is written of some executions, and remembers how far back the journal is whole. */
  removal(executionIds: readonly string[]): readonly Statement[] {
    const among = `execution_id IN (${marksOf(executionIds)})`;
    return [
      // What the select finds nothing of is null, which is no position.
      `INSERT INTO journal_floor (id, position)
       SELECT 1, max(position) FROM journal WHERE ${among} HAVING max(position) IS NOT NULL
       ON CONFLICT (id) DO UPDATE SET position = excluded.position WHERE journal_floor.position < excluded.position`,
      `DELETE FROM journal WHERE ${among}`,
      `DELETE FROM payloads WHERE ${among}`,
    ].map((sql) => ({ sql: marked(this.dialect, sql), parameters: executionIds }));
  }

  /** Bytes that the batches and the long values of executions take. */
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

  async payload(executionId: string, sequence: number, field: PayloadField): Promise<string | undefined> {
    const [row] = await this.query<Payload>(
      'SELECT sequence, field, body FROM payloads WHERE execution_id = ? AND sequence = ? AND field = ?',
      [executionId, sequence, field],
    );
    return row?.body;
  }

  /**
   * Every event of an execution after a sequence, long values included: what a fold is made from.
   * @throws UnknownEventError
   */
  async whole(executionId: string, afterSequence: number): Promise<readonly JournalEvent[]> {
    const batches = await this.ofExecution(executionId, afterSequence, Number.MAX_SAFE_INTEGER);
    const payloads = await this.query<Payload>(
      'SELECT sequence, field, body FROM payloads WHERE execution_id = ? AND sequence > ?',
      [executionId, afterSequence],
    );
    const events = new Map<number, JournalEvent>();
    for (const batch of batches)
      batch.events.forEach((event, index) => {
        if (batch.firstSequence + index > afterSequence)
          events.set(batch.firstSequence + index, known(event));
      });
    attachAll(events, payloads);
    return [...events.values()];
  }

  /**
   * An execution's events part by part, in order: of a long journal no more than a part need be in memory.
   * @param isWanted leaves out what it says no to; long values are fetched for the others alone
   * @throws UnknownEventError
   */
  async *parts(
    executionId: string,
    isWanted: (event: JournalEvent) => boolean = () => true,
  ): AsyncGenerator<readonly JournalEvent[]> {
    for (let after = 0; ;) {
      const batches = await this.ofExecution(executionId, after, BATCHES_IN_PART);
      const last = batches.at(-1);
      if (last === undefined) return;
      after = lastSequence(last);
      yield await this.attached(executionId, bySequence(batches, isWanted));
      if (batches.length < BATCHES_IN_PART) return;
    }
  }

  /**
   * The same of an execution that was just claimed: short journals that are asked for at once are read together.
   * @param length the last sequence of its row
   * @param bodies those of all its batches, as the claim saw them, with commas between; null where it brought none
   * @throws UnknownEventError
   */
  async *partsOfClaimed(
    executionId: string,
    length: number,
    bodies: string | null,
  ): AsyncGenerator<readonly JournalEvent[]> {
    if (length > FEW_EVENTS) {
      yield* this.parts(executionId);
      return;
    }
    const brought = bodies === null ? [] : decodeBodies(bodies);
    // A row is taken as it is by then, and what lies beside it is read as it was when the claim began.
    const batches =
      brought.length === length
        ? [{ firstSequence: 1, events: brought }]
        : ((await this.short.find(executionId)) ?? []);
    yield await this.attached(executionId, bySequence(batches));
  }

  private async ofExecutions(
    executionIds: readonly string[],
  ): Promise<ReadonlyMap<string, readonly Batch[]>> {
    const rows = await this.query(
      `SELECT ${COLUMNS} FROM journal WHERE execution_id IN (${marksOf(executionIds)}) ORDER BY execution_id, first_sequence`,
      executionIds,
    );
    return Map.groupBy(rows.map(toBatch), ({ executionId }) => executionId);
  }

  /** Events by sequence with their long values. */
  private async attached(
    executionId: string,
    events: Map<number, JournalEvent>,
  ): Promise<readonly JournalEvent[]> {
    const lacking = [...events].filter(([, event]) => lacksPayload(event)).map(([sequence]) => sequence);
    if (lacking.length > 0) {
      const payloads = await this.query<Payload>(
        `SELECT sequence, field, body FROM payloads WHERE execution_id = ? AND sequence IN (${marksOf(lacking)})`,
        [executionId, ...lacking],
      );
      attachAll(events, payloads);
    }
    return [...events.values()];
  }

  private query<Row = BatchRow>(sql: string, parameters: readonly unknown[]): Promise<readonly Row[]> {
    return this.dataSource.query<readonly Row[]>(marked(this.dialect, sql), [...parameters]);
  }
}

/** Whether an index has it, in the order of commits; else everything after the cursor is looked at. */
function isInIndex({ projectIds, executionId, workflowId, sessionId }: FeedFilter): boolean {
  return (
    executionId !== undefined ||
    sessionId !== undefined ||
    (projectIds.length === 1 && workflowId === undefined)
  );
}

/** Events as they are stored: together as one text, and what is too long for that beside it. */
function stored(
  executionId: string,
  firstSequence: number,
  events: readonly JournalEvent[],
): { readonly slim: readonly JournalEvent[]; readonly body: string; readonly payloads: readonly Payload[] } {
  const whole = encodeBody(events);
  // Where all of them together are short, so is each.
  if (whole.length <= INLINE_LIMIT) return { slim: events, body: whole, payloads: [] };
  const detached = events.map((event, index) => detach(executionId, firstSequence + index, event));
  const payloads = detached.flatMap((part) => part.payloads);
  const slim = detached.map(({ event }) => event);
  return { slim, body: payloads.length === 0 ? whole : encodeBody(slim), payloads };
}

/** @throws UnknownEventError */
function bySequence(
  batches: readonly Pick<Batch, 'firstSequence' | 'events'>[],
  isWanted: (event: JournalEvent) => boolean = () => true,
): Map<number, JournalEvent> {
  const events = new Map<number, JournalEvent>();
  for (const { firstSequence, events: all } of batches)
    all.map(known).forEach((event, index) => {
      if (isWanted(event)) events.set(firstSequence + index, event);
    });
  return events;
}

function attachAll(events: Map<number, JournalEvent>, payloads: readonly Payload[]): void {
  for (const { sequence, field, body } of payloads) {
    const event = events.get(sequence);
    if (event !== undefined) events.set(sequence, attach(event, field, JSON.parse(body) as Json));
  }
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

/** For whoever makes something of an event. */
function known(event: ReadEvent): JournalEvent {
  if (isKnown(event)) return event;
  throw new UnknownEventError(event);
}
