import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { type Json, type JournalEvent } from '../engine/index.js';
import { DIALECT, type Dialect, insertShape, type Write } from '../platform/index.js';
import { type Batch, decodeBody, encodeBody, type JournalScope, lastSequence } from './batch.js';
import type { Cursor } from './cursor.js';
import { attach, detach, type Payload, type PayloadField } from './payload.js';

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

const COLUMNS =
  'position, id, execution_id, project_id, workflow_id, session_id, first_sequence, last_sequence, body';

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

/** The journal's SQL. */
@Injectable()
export class JournalRepository {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(DIALECT) private readonly dialect: Dialect,
  ) {}

  /** The writes of a batch, and the batch as readers will see it (its position is not known yet). */
  writes(
    id: string,
    scope: JournalScope,
    firstSequence: number,
    events: readonly JournalEvent[],
  ): { readonly writes: readonly Write[]; readonly batch: Omit<Batch, 'position'> } {
    const detached = events.map((event, index) => detach(scope.executionId, firstSequence + index, event));
    const slim = detached.map(({ event }) => event);
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
        new Date(events.at(-1)?.at ?? 0).toISOString(),
        encodeBody(
          slim,
          detached.map(({ text }) => text),
        ),
      ],
    };
    const payloads = detached.flatMap((part) => part.payloads);
    return {
      batch,
      writes: [
        insert,
        ...payloads.map(({ sequence, field, body }): Write => ({
          shape: INSERT_PAYLOAD,
          row: [scope.executionId, sequence, field, body],
        })),
      ],
    };
  }

  /** Batches of one execution that hold an event after a sequence, in order. */
  async ofExecution(executionId: string, afterSequence: number, limit: number): Promise<readonly Batch[]> {
    const rows = await this.query(
      `SELECT ${COLUMNS} FROM journal WHERE execution_id = ? AND last_sequence > ? ORDER BY first_sequence LIMIT ?`,
      [executionId, afterSequence, limit],
    );
    return rows.map(toBatch);
  }

  /** Batches of many executions from a cursor on, in the order of their commits. */
  async feed(filter: FeedFilter, after: Cursor, limit: number): Promise<readonly Batch[]> {
    if (filter.projectIds.length === 0) return [];
    const isOneProject = filter.projectIds.length === 1 && filter.executionId === undefined;
    // The plus keeps SQLite from its index by project, which for several projects is not in the order asked for.
    const project = this.dialect === 'sqlite' && !isOneProject ? '+project_id' : 'project_id';
    const conditions = ['position >= ?', `${project} IN (${filter.projectIds.map(() => '?').join(', ')})`];
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
      conditions.push(`${column} = ?`);
      parameters.push(value);
    }
    const rows = await this.query(
      `SELECT ${COLUMNS} FROM journal WHERE ${conditions.join(' AND ')} ORDER BY position LIMIT ?`,
      [...parameters, limit],
    );
    return rows.map(toBatch);
  }

  /** Batches of all executions after a position, in the order of their commits. */
  async after(position: number, limit: number): Promise<readonly Batch[]> {
    const rows = await this.query(
      `SELECT ${COLUMNS} FROM journal WHERE position > ? ORDER BY position LIMIT ?`,
      [position, limit],
    );
    return rows.map(toBatch);
  }

  /** The oldest and the newest position; zeros while there is none. */
  async bounds(): Promise<{ readonly oldest: number; readonly newest: number }> {
    const [row] = await this.query<{ oldest: number | string | null; newest: number | string | null }>(
      // Two look-ups; asked for together, SQLite reads a whole index.
      'SELECT (SELECT min(position) FROM journal) AS oldest, (SELECT max(position) FROM journal) AS newest',
      [],
    );
    return { oldest: Number(row?.oldest ?? 0), newest: Number(row?.newest ?? 0) };
  }

  async payload(executionId: string, sequence: number, field: PayloadField): Promise<string | undefined> {
    const [row] = await this.query<Payload>(
      'SELECT sequence, field, body FROM payloads WHERE execution_id = ? AND sequence = ? AND field = ?',
      [executionId, sequence, field],
    );
    return row?.body;
  }

  /** Every event of an execution after a sequence, long values included: what a fold is made from. */
  async whole(executionId: string, afterSequence: number): Promise<readonly JournalEvent[]> {
    const batches = await this.ofExecution(executionId, afterSequence, Number.MAX_SAFE_INTEGER);
    const payloads = await this.query<Payload>(
      'SELECT sequence, field, body FROM payloads WHERE execution_id = ? AND sequence > ?',
      [executionId, afterSequence],
    );
    const events = new Map<number, JournalEvent>();
    for (const batch of batches)
      batch.events.forEach((event, index) => {
        if (batch.firstSequence + index > afterSequence) events.set(batch.firstSequence + index, event);
      });
    for (const { sequence, field, body } of payloads) {
      const event = events.get(sequence);
      if (event !== undefined) events.set(sequence, attach(event, field, JSON.parse(body) as Json));
    }
    return [...events.values()];
  }

  private query<Row = BatchRow>(sql: string, parameters: readonly unknown[]): Promise<readonly Row[]> {
    let index = 0;
    const text = this.dialect === 'postgres' ? sql.replaceAll('?', () => `$${++index}`) : sql;
    return this.dataSource.query<readonly Row[]>(text, [...parameters]);
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
