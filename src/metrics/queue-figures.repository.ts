import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { DIALECT, type Dialect, marked } from '../storage/index.js';

export interface QueueFigures {
  readonly runnable: number;
  /**
   * Time since which the oldest queued execution has been ready to run, in ISO 8601; null if no execution is queued.
   */
  readonly oldestRunnableAt: string | null;
}

/** Maximum number of queued executions that one scrape counts, so that a scrape does not read millions of rows. */
const MAX_COUNTED = 100_000;

@Injectable()
export class QueueFiguresRepository {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(DIALECT) private readonly dialect: Dialect,
  ) {}

  /** @param now ISO 8601 */
  async read(now: string): Promise<QueueFigures> {
    const sql = `SELECT count(*) AS n, min(runnable_at) AS oldest FROM
      (SELECT runnable_at FROM executions WHERE runnable_at <= ? ORDER BY runnable_at LIMIT ${MAX_COUNTED}) AS q`;
    const [row] = await this.dataSource.query<
      readonly { readonly n: number | string; readonly oldest: string | Date | null }[]
    >(marked(this.dialect, sql), [now]);
    const oldest = row?.oldest ?? null;
    return {
      runnable: Number(row?.n ?? 0),
      oldestRunnableAt: oldest === null ? null : new Date(oldest).toISOString(),
    };
  }
}
