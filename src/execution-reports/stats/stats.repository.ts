import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { type ExecutionStatus, FINAL_STATUSES } from '../../execution-events/index.js';
import { JournalRepository } from '../../journal/index.js';
import { DIALECT, type Dialect, SlowQueryRunner, marked, marksOf } from '../../storage/index.js';
import { isoTime } from '../../platform/index.js';
import { conditionsOf, type ExecutionFilter } from '../../execution-store/index.js';
import {
  WATERMARK_SQL,
  type HourlyCount,
  hourlyCountsOf,
  TotalsRepository,
} from '../../execution-totals/index.js';

/** Filter for the executions that statistics count. */
export type StatsFilter = Pick<ExecutionFilter, 'projectIds' | 'workflowId'>;

/** Numbers of the executions that ended in a time window, by hour, status and duration. */
export interface EndedCounts {
  readonly counts: readonly Omit<HourlyCount, 'projectId' | 'workflowId'>[];
  /**
   * True if only the newest of the recently ended executions are counted, because there are too many to count them all.
   */
  readonly sampled: boolean;
}

/** Number of executions and events of a project, and the storage that they use. */
export interface Usage {
  readonly executions: number;
  readonly events: number;
  readonly payloadBytes: number;
  readonly journalBytes: number;
  readonly resultsBytes: number;
  /**
   * True if bytes are extrapolated from the newest 5,000 executions, because more than 5,000 executions are not in the
   * totals yet.
   */
  readonly estimated: boolean;
}

export interface LatestRun {
  readonly id: string;
  readonly workflowId: string;
  readonly projectId: string;
  readonly status: ExecutionStatus;
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
}

/** Maximum number of executions that a query counts one by one because the totals do not include them yet. */
const MAX_RECENT = 20_000;
/** Maximum number of executions whose stored bytes a query measures because the totals do not include them yet. */
const MAX_MEASURED = 5_000;

const FINAL = FINAL_STATUSES.map((status) => `'${status}'`).join(', ');
const ACTIVE = ['queued', 'running', 'waiting', 'paused'] as const satisfies readonly ExecutionStatus[];

/**
 * Reads statistics of executions: the stored totals, and counts of the executions that the totals do not include yet.
 */
@Injectable()
export class StatsRepository {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(DIALECT) private readonly dialect: Dialect,
    private readonly totals: TotalsRepository,
    private readonly journal: JournalRepository,
    private readonly slowQueries: SlowQueryRunner,
  ) {}

  /**
   * Counts the executions that ended since `from`.
   *
   * @param from start of the first hour, in epoch milliseconds
   */
  ended(filter: StatsFilter, from: number): Promise<EndedCounts> {
    return this.atOneWatermark(async () => {
      const [counted, recent] = await Promise.all([this.hours(filter, from), this.recent(filter, from)]);
      return { counts: [...counted, ...hourlyCountsOf(recent)], sampled: recent.length >= MAX_RECENT };
    });
  }

  async active(filter: StatsFilter): Promise<ReadonlyMap<ExecutionStatus, number>> {
    const { sql, parameters } = conditionsOf(
      { projectIds: filter.projectIds, statuses: ACTIVE },
      this.dialect,
    );
    const ofWorkflow = filter.workflowId === undefined ? '' : ' AND e.workflow_id = ?';
    const rows = await this.query<{ status: ExecutionStatus; n: number | string }>(
      `SELECT e.status, count(*) AS n FROM executions AS e WHERE ${sql}${ofWorkflow} GROUP BY e.status`,
      [...parameters, ...(filter.workflowId === undefined ? [] : [filter.workflowId])],
    );
    return new Map(rows.map(({ status, n }) => [status, Number(n)]));
  }

  /**
   * Returns the latest executions of each workflow, newest first.
   * @param limit maximum number of executions per workflow
   */
  async latestRuns(workflowIds: readonly string[], limit: number): Promise<readonly LatestRun[]> {
    if (workflowIds.length === 0) return [];
    const parts = workflowIds.map(
      (_, index) =>
        `SELECT * FROM (SELECT id, workflow_id, project_id, status, created_at, started_at, finished_at
          FROM executions WHERE workflow_id IN (?) ORDER BY id DESC LIMIT ${limit}) AS w${index}`,
    );
    const rows = await this.query<{
      id: string;
      workflow_id: string;
      project_id: string;
      status: ExecutionStatus;
      created_at: string | Date;
      started_at: string | Date | null;
      finished_at: string | Date | null;
    }>(parts.join(' UNION ALL '), workflowIds);
    return rows
      .map((row) => ({
        id: row.id,
        workflowId: row.workflow_id,
        projectId: row.project_id,
        status: row.status,
        createdAt: timeOf(row.created_at),
        startedAt: row.started_at === null ? null : timeOf(row.started_at),
        finishedAt: row.finished_at === null ? null : timeOf(row.finished_at),
      }))
      .sort((a, b) => (a.id < b.id ? 1 : -1));
  }

  usage(projectId: string): Promise<Usage> {
    return this.atOneWatermark(async () => {
      const [[totals], [results], recent] = await Promise.all([
        this.query<
          Record<'executions' | 'events' | 'journal_bytes' | 'payload_bytes', number | string | null>
        >(
          `SELECT sum(executions) AS executions, sum(events) AS events, sum(journal_bytes) AS journal_bytes,
            sum(payload_bytes) AS payload_bytes FROM execution_totals WHERE project_id = ?`,
          [projectId],
        ),
        this.query<{ bytes: number | string | null }>(
          'SELECT sum(octet_length(output)) AS bytes FROM results WHERE project_id = ?',
          [projectId],
        ),
        this.query<{ id: string; last_sequence: number }>(
          `SELECT e.id, e.last_sequence FROM executions AS e WHERE e.project_id = ? AND e.id > ${WATERMARK_SQL}
           UNION ALL SELECT e.id, e.last_sequence FROM executions AS e
            WHERE e.id IN (SELECT execution_id FROM execution_stragglers) AND e.project_id = ?`,
          [projectId, projectId],
        ),
      ]);
      const measured = recent.slice(-MAX_MEASURED).map(({ id }) => id);
      const sizes = [...(await this.journal.sizes(measured)).values()];
      const scale = measured.length === 0 ? 0 : recent.length / measured.length;
      const sum = (of: 'journal' | 'payloads'): number =>
        Math.round(scale * sizes.reduce((total, size) => total + size[of], 0));
      return {
        executions: Number(totals?.executions ?? 0) + recent.length,
        events: Number(totals?.events ?? 0) + recent.reduce((total, { last_sequence: n }) => total + n, 0),
        journalBytes: Number(totals?.journal_bytes ?? 0) + sum('journal'),
        payloadBytes: Number(totals?.payload_bytes ?? 0) + sum('payloads'),
        resultsBytes: Number(results?.bytes ?? 0),
        estimated: recent.length > MAX_MEASURED,
      };
    });
  }

  private async hours({ projectIds, workflowId }: StatsFilter, from: number): Promise<EndedCounts['counts']> {
    const ofWorkflow = workflowId === undefined ? '' : ' AND workflow_id = ?';
    // Runs as a slow query, because the table has many rows: one for each combination of hour, workflow, status and
    // duration bucket.
    const rows = await this.slowQueries.rows<{
      hour: string | Date;
      status: ExecutionStatus;
      duration_bucket: number;
      executions: number | string;
    }>(
      `SELECT hour, status, duration_bucket, sum(executions) AS executions FROM execution_hours
       WHERE project_id IN (${marksOf(projectIds)}) AND hour >= ?${ofWorkflow}
       GROUP BY hour, status, duration_bucket`,
      [...projectIds, isoTime(from), ...(workflowId === undefined ? [] : [workflowId])],
    );
    return rows.map(({ hour, status, duration_bucket: durationBucket, executions }) => ({
      hour: timeOf(hour),
      status,
      durationBucket,
      executions: Number(executions),
    }));
  }

  private async recent(filter: StatsFilter, from: number): Promise<Parameters<typeof hourlyCountsOf>[0]> {
    const { sql, parameters } = conditionsOf(filter, this.dialect);
    const ended = `SELECT e.id, e.status, e.started_at, e.finished_at FROM executions AS e
      WHERE ${sql} AND e.status IN (${FINAL}) AND e.finished_at >= ?`;
    const rows = await this.query<{
      status: ExecutionStatus;
      started_at: string | Date | null;
      finished_at: string | Date;
    }>(
      `SELECT * FROM (${ended} AND e.id > ${WATERMARK_SQL} ORDER BY e.id DESC LIMIT ${MAX_RECENT}) AS newest
       UNION ALL ${ended} AND e.id IN (SELECT execution_id FROM execution_stragglers)`,
      [...parameters, isoTime(from), ...parameters, isoTime(from)],
    );
    return rows.map(({ status, started_at, finished_at }) => ({
      projectId: '',
      workflowId: '',
      status,
      startedAt: started_at === null ? null : timeOf(started_at),
      finishedAt: timeOf(finished_at),
    }));
  }

  /**
   * Reads the totals, and the executions that the totals do not include yet. If the totals change meanwhile,
   * both are read again, because some executions might otherwise be counted twice. If the totals change during all
   * `MAX_TRIES` reads, the figures of the last read are returned. They may count a few executions twice.
   */
  private async atOneWatermark<T>(read: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      const before = await this.totals.watermark();
      const value = await read();
      const after = await this.totals.watermark();
      if (before.revision === after.revision || tries === MAX_TRIES) return value;
    }
  }

  private query<Row>(sql: string, parameters: readonly unknown[]): Promise<readonly Row[]> {
    return this.dataSource.query<readonly Row[]>(marked(this.dialect, sql), [...parameters]);
  }
}

const MAX_TRIES = 5;

function timeOf(value: string | Date): string {
  return new Date(value).toISOString();
}
