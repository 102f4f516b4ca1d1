import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { DIALECT, type Dialect, marked, marksOf } from '../../storage/index.js';

/** What of a project waits in the database for a process, or for its time. */
export interface ProjectQueue {
  readonly projectId: string;
  /** May run now. */
  readonly runnable: number;
  /** Wakes later by itself. */
  readonly sleeping: number;
  /** Since when the first of those that may run could; null where none may. */
  readonly oldestRunnableAt: string | null;
}

/** The same over all projects. */
export type QueueTotals = Omit<ProjectQueue, 'projectId'>;

/** SQL of the queue: it goes over an index of what waits, and over one of what is held. */
@Injectable()
export class QueueRepository {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(DIALECT) private readonly dialect: Dialect,
  ) {}

  /** Projects of which something waits; @param now ISO 8601 */
  async projects(projectIds: readonly string[], now: string): Promise<readonly ProjectQueue[]> {
    if (projectIds.length === 0) return [];
    const rows = await this.query<{
      project_id: string;
      n: number | string;
      runnable: number | string;
      oldest: string | Date;
    }>(
      `SELECT project_id, count(*) AS n, min(runnable_at) AS oldest,
        sum(CASE WHEN runnable_at <= ? THEN 1 ELSE 0 END) AS runnable
       FROM executions WHERE runnable_at IS NOT NULL AND project_id IN (${marksOf(projectIds)})
       GROUP BY project_id ORDER BY project_id`,
      [now, ...projectIds],
    );
    return rows.map(({ project_id: projectId, n, runnable, oldest }) => ({
      projectId,
      runnable: Number(runnable),
      sleeping: Number(n) - Number(runnable),
      oldestRunnableAt: Number(runnable) === 0 ? null : new Date(oldest).toISOString(),
    }));
  }

  /** @param now ISO 8601 */
  async totals(now: string): Promise<QueueTotals> {
    const [row] = await this.query<{
      n: number | string;
      runnable: number | string | null;
      oldest: string | Date | null;
    }>(
      `SELECT count(*) AS n, min(runnable_at) AS oldest, sum(CASE WHEN runnable_at <= ? THEN 1 ELSE 0 END) AS runnable
       FROM executions WHERE runnable_at IS NOT NULL`,
      [now],
    );
    const runnable = Number(row?.runnable ?? 0);
    return {
      runnable,
      sleeping: Number(row?.n ?? 0) - runnable,
      oldestRunnableAt: runnable === 0 ? null : new Date(row?.oldest ?? now).toISOString(),
    };
  }

  /** How many executions each process holds, of those that hold any. */
  async held(): Promise<ReadonlyMap<string, number>> {
    const rows = await this.query<{ lease_owner: string; n: number | string }>(
      'SELECT lease_owner, count(*) AS n FROM executions WHERE lease_owner IS NOT NULL GROUP BY lease_owner',
      [],
    );
    return new Map(rows.map(({ lease_owner, n }) => [lease_owner, Number(n)]));
  }

  private query<Row>(sql: string, parameters: readonly unknown[]): Promise<readonly Row[]> {
    return this.dataSource.query<readonly Row[]>(marked(this.dialect, sql), [...parameters]);
  }
}
