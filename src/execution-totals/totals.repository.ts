import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { type ExecutionStatus, isFinal, type TriggerType } from '../execution-events/index.js';
import { JournalRepository } from '../journal/index.js';
import { DIALECT, type Dialect, marked, marksOf, type Statement, Writer } from '../storage/index.js';
import { firstIdAt, isoTime } from '../platform/index.js';
import { spanCountsOf } from './spans.js';
import { type EndedExecution, hourlyCountsOf, totalsOf } from './tally.js';

/** Watermark of the totals: the id of the last counted execution, and the revision of the totals. */
export interface Watermark {
  readonly upToId: string;
  readonly revision: number;
}

const INITIAL_WATERMARK: Watermark = { upToId: firstIdAt(0), revision: 0 };

interface CountedRow {
  readonly id: string;
  readonly project_id: string;
  readonly workflow_id: string;
  readonly trigger_type: TriggerType;
  readonly status: ExecutionStatus;
  readonly created_at: string | Date;
  readonly started_at: string | Date | null;
  readonly finished_at: string | Date | null;
  readonly last_sequence: number;
}

export interface CountedRows {
  readonly ended: readonly EndedExecution[];
  readonly unfinished: readonly string[];
  readonly lastId: string | null;
}

const COLUMNS =
  'id, project_id, workflow_id, trigger_type, status, created_at, started_at, finished_at, last_sequence';

/**
 * Reads and writes the totals. An update that is based on an older revision of the totals is refused, so that each
 * execution is counted once.
 */
@Injectable()
export class TotalsRepository {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(DIALECT) private readonly dialect: Dialect,
    private readonly journal: JournalRepository,
    private readonly writer: Writer,
  ) {}

  async watermark(): Promise<Watermark> {
    const [row] = await this.query<{ up_to_id: string; revision: number | string }>(
      'SELECT up_to_id, revision FROM execution_frontier WHERE id = 1',
      [],
    );
    return row === undefined ? INITIAL_WATERMARK : { upToId: row.up_to_id, revision: Number(row.revision) };
  }

  async between(afterId: string, beforeId: string, limit: number): Promise<CountedRows> {
    return this.readRows(
      `SELECT ${COLUMNS} FROM executions WHERE id > ? AND id < ? ORDER BY id LIMIT ${limit}`,
      [afterId, beforeId],
    );
  }

  async finishedBefore(afterId: string, before: number, limit: number): Promise<CountedRows> {
    return this.readRows(
      // An id starts with the creation time of the execution. An execution that ended before `before` was also created
      // before `before`, so the upper bound of `id` excludes no match.
      `SELECT ${COLUMNS} FROM executions WHERE id > ? AND id < ? AND finished_at < ? ORDER BY id LIMIT ${limit}`,
      [afterId, firstIdAt(before), isoTime(before)],
    );
  }

  /**
   * Returns the late rows, separated into ended and unfinished executions. A late row is an execution that had not
   * ended when the watermark passed its id.
   */
  async lateRows(): Promise<CountedRows> {
    return this.readRows(
      `SELECT ${COLUMNS} FROM executions WHERE id IN (SELECT execution_id FROM execution_stragglers)`,
      [],
    );
  }

  /**
   * Returns the given ids that belong to late rows. A late row is an execution that had not ended when the watermark
   * passed its id.
   */
  async lateRowsAmong(ids: readonly string[]): Promise<ReadonlySet<string>> {
    if (ids.length === 0) return new Set();
    const rows = await this.query<{ execution_id: string }>(
      `SELECT execution_id FROM execution_stragglers WHERE execution_id IN (${marksOf(ids)})`,
      ids,
    );
    return new Set(rows.map(({ execution_id }) => execution_id));
  }

  /**
   * Adds ended executions to the totals, stores unfinished ones as late rows, and moves the watermark.
   *
   * @returns false if the totals changed in the meantime
   */
  async advance(from: Watermark, upToId: string, { ended, unfinished }: CountedRows): Promise<boolean> {
    const late = unfinished.map((id) =>
      this.statement('INSERT INTO execution_stragglers (execution_id) VALUES (?)', [id]),
    );
    return this.commitIfUnchanged({ ...from, upToId }, [
      ...late,
      ...this.added(ended, 1),
      ...this.hours(ended),
    ]);
  }

  /**
   * Adds executions that ended after the watermark had passed their ids (late rows) to the totals. Deletes their
   * entries in the table of late rows.
   * @returns false if the totals changed in the meantime
   */
  async settle(watermark: Watermark, ended: readonly EndedExecution[]): Promise<boolean> {
    const ids = ended.map(({ id }) => id);
    return this.commitIfUnchanged(watermark, [
      this.lateRowDeletion(ids),
      ...this.added(ended, 1),
      ...this.hours(ended),
    ]);
  }

  /**
   * Deletes ended executions with their journals, and subtracts the executions from the totals.
   *
   * @returns false if the totals changed in the meantime; then nothing is deleted
   */
  async remove(watermark: Watermark, ended: readonly EndedExecution[]): Promise<boolean> {
    const ids = ended.map(({ id }) => id);
    const late = await this.lateRowsAmong(ids);
    const counted = ended.filter(({ id }) => id <= watermark.upToId && !late.has(id));
    return this.commitIfUnchanged(watermark, [
      this.lateRowDeletion(ids),
      ...this.added(counted, -1),
      ...this.journal.removal(ids),
      this.statement(`DELETE FROM executions WHERE id IN (${marksOf(ids)})`, ids),
    ]);
  }

  async prune(before: number): Promise<void> {
    await this.writer.commit({
      writes: [
        this.statement('DELETE FROM execution_hours WHERE hour < ?', [isoTime(before)]),
        this.statement('DELETE FROM execution_totals WHERE executions = 0', []),
        this.statement('DELETE FROM execution_spans WHERE executions = 0', []),
      ],
    });
  }

  private async commitIfUnchanged(
    { upToId, revision }: Watermark,
    writes: readonly Statement[],
  ): Promise<boolean> {
    const guard = this.statement(
      `INSERT INTO execution_frontier (id, up_to_id, revision, spans_revision) VALUES (1, ?, 1, 1)
       ON CONFLICT (id) DO UPDATE SET up_to_id = excluded.up_to_id,
         revision = execution_frontier.revision + 1, spans_revision = execution_frontier.revision + 1
       WHERE execution_frontier.revision = ?`,
      [upToId, revision],
    );
    try {
      await this.writer.commit({ writes: [{ ...guard, orFail: () => new TotalsChangedError() }, ...writes] });
      return true;
    } catch (error) {
      if (error instanceof TotalsChangedError) return false;
      throw error;
    }
  }

  private added(ended: readonly EndedExecution[], sign: 1 | -1): readonly Statement[] {
    return [...this.totals(ended, sign), ...this.spans(ended, sign)];
  }

  private totals(ended: readonly EndedExecution[], sign: 1 | -1): readonly Statement[] {
    return totalsOf(ended, sign).map((total) =>
      this.statement(
        `INSERT INTO execution_totals (project_id, workflow_id, trigger_type, status, executions, events, journal_bytes, payload_bytes)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (project_id, workflow_id, trigger_type, status) DO UPDATE SET
           executions = execution_totals.executions + excluded.executions,
           events = execution_totals.events + excluded.events,
           journal_bytes = execution_totals.journal_bytes + excluded.journal_bytes,
           payload_bytes = execution_totals.payload_bytes + excluded.payload_bytes`,
        [
          total.projectId,
          total.workflowId,
          total.triggerType,
          total.status,
          total.executions,
          total.events,
          total.journalBytes,
          total.payloadBytes,
        ],
      ),
    );
  }

  private spans(ended: readonly EndedExecution[], sign: 1 | -1): readonly Statement[] {
    return spanCountsOf(ended, sign).map((count) =>
      this.statement(
        `INSERT INTO execution_spans (project_id, unit, began, workflow_id, trigger_type, status, executions)
         VALUES (?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (project_id, unit, began, workflow_id, trigger_type, status) DO UPDATE SET
           executions = execution_spans.executions + excluded.executions`,
        [
          count.projectId,
          count.unit,
          count.began,
          count.workflowId,
          count.triggerType,
          count.status,
          count.executions,
        ],
      ),
    );
  }

  private hours(ended: readonly EndedExecution[]): readonly Statement[] {
    return hourlyCountsOf(ended).map((count) =>
      this.statement(
        `INSERT INTO execution_hours (project_id, hour, workflow_id, status, duration_bucket, executions)
         VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT (project_id, hour, workflow_id, status, duration_bucket) DO UPDATE SET
           executions = execution_hours.executions + excluded.executions`,
        [count.projectId, count.hour, count.workflowId, count.status, count.durationBucket, count.executions],
      ),
    );
  }

  private lateRowDeletion(ids: readonly string[]): Statement {
    return this.statement(`DELETE FROM execution_stragglers WHERE execution_id IN (${marksOf(ids)})`, ids);
  }

  private async readRows(sql: string, parameters: readonly unknown[]): Promise<CountedRows> {
    const rows = await this.query<CountedRow>(sql, parameters);
    const ended = rows.filter(({ status }) => isFinal(status));
    const sizes = await this.journal.sizes(ended.map(({ id }) => id));
    return {
      ended: ended.map((row) => ({
        id: row.id,
        projectId: row.project_id,
        workflowId: row.workflow_id,
        triggerType: row.trigger_type,
        status: row.status,
        createdAt: new Date(row.created_at).toISOString(),
        startedAt: row.started_at === null ? null : new Date(row.started_at).toISOString(),
        finishedAt: new Date(row.finished_at ?? 0).toISOString(),
        events: row.last_sequence,
        journalBytes: sizes.get(row.id)?.journal ?? 0,
        payloadBytes: sizes.get(row.id)?.payloads ?? 0,
      })),
      unfinished: rows.filter(({ status }) => !isFinal(status)).map(({ id }) => id),
      lastId: rows.at(-1)?.id ?? null,
    };
  }

  private query<Row>(sql: string, parameters: readonly unknown[]): Promise<readonly Row[]> {
    return this.dataSource.query<readonly Row[]>(marked(this.dialect, sql), [...parameters]);
  }

  private statement(sql: string, parameters: readonly unknown[]): Statement {
    return { sql: marked(this.dialect, sql), parameters };
  }
}

class TotalsChangedError extends Error {}
