import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { DIALECT, type Dialect, marked, marksOf } from '../../storage/index.js';

/** Number of executions of a project that wait for a process or for a later time. */
export interface ProjectQueue {
  readonly projectId: string;
  /** Number of executions that a process may claim now. */
  readonly runnable: number;
  /** Number of executions that become runnable at a later time. */
  readonly sleeping: number;
  /** ISO 8601 time at which the oldest runnable execution became runnable. Null if no execution is runnable. */
  readonly oldestRunnableAt: string | null;
}

/** Number of waiting executions in all projects together, with the same counts as for one project. */
export type QueueTotals = Omit<ProjectQueue, 'projectId'>;

/** Counts waiting and claimed executions. The queries read only the indexes that contain these executions. */
@Injectable()
export class QueueRepository {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(DIALECT) private readonly dialect: Dialect,
  ) {}

  /**
   * Returns the number of waiting executions of each project. Projects without waiting executions are left out.
   *
   * @param now current time in ISO 8601; executions that become runnable later count as sleeping
   */
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

  /**
   * Returns the number of waiting executions in all projects together.
   *
   * @param now current time in ISO 8601; executions that become runnable later count as sleeping
   */
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

  /**
   * Returns the number of claimed executions by the id of the process. Processes without claimed executions are not in
   * the map.
   */
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
