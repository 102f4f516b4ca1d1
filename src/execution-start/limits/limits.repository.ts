import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { DIALECT, type Dialect, marked } from '../../storage/index.js';

/**
 * Counts executions, and stops at the limit for which they are counted. So a query never reads more rows than the
 * limit.
 */
@Injectable()
export class LimitsRepository {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(DIALECT) private readonly dialect: Dialect,
  ) {}

  /** Returns the number of unfinished executions of a project, at most `atMost`. */
  unfinished(projectId: string, atMost: number): Promise<number> {
    return this.count(
      `SELECT 1 AS one FROM executions
        WHERE project_id = ? AND status IN ('queued', 'running', 'waiting', 'paused') LIMIT ${atMost}`,
      projectId,
    );
  }

  /** Returns the number of descendants of a root execution on all levels, at most `atMost`. */
  descendants(rootId: string, atMost: number): Promise<number> {
    return this.count(`SELECT 1 AS one FROM executions WHERE root_id = ? LIMIT ${atMost}`, rootId);
  }

  private async count(rows: string, key: string): Promise<number> {
    const found = await this.dataSource.query<readonly { n: number | string }[]>(
      marked(this.dialect, `SELECT count(*) AS n FROM (${rows}) AS counted`),
      [key],
    );
    return Number(found[0]?.n ?? 0);
  }
}
