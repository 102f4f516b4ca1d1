import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { DIALECT, type Dialect, SqlReader } from '../../platform/index.js';
import { conditionsOf, type ExecutionFilter } from '../execution-conditions.js';

/** The frontier, as a value in SQL; where there is none yet, before the first execution. */
export const FRONTIER =
  "coalesce((SELECT up_to_id FROM execution_frontier WHERE id = 1), '00000000-0000-0000-0000-000000000000')";

/**
 * How many executions meet a filter, exact. What ended a while ago is in the totals, the rest is counted: since it
 * is few, that takes as long among a million as among a thousand.
 */
@Injectable()
export class ExecutionCountRepository {
  private readonly reader: SqlReader;

  constructor(
    @InjectDataSource() dataSource: DataSource,
    @Inject(DIALECT) private readonly dialect: Dialect,
  ) {
    this.reader = new SqlReader(dataSource, dialect);
  }

  async count(filter: ExecutionFilter): Promise<number> {
    const { sql, parameters } = conditionsOf(filter, this.dialect);
    if (!isKept(filter))
      return this.sum(`SELECT count(*) AS n FROM executions AS e WHERE ${sql}`, parameters);
    const totals = conditionsOf(filter, this.dialect, 'totals');
    // One statement sees one state: the frontier does not move within it.
    return this.sum(
      `SELECT (SELECT coalesce(sum(e.executions), 0) FROM execution_totals AS e WHERE ${totals.sql})
        + (SELECT count(*) FROM executions AS e WHERE ${sql} AND e.id > ${FRONTIER})
        + (SELECT count(*) FROM executions AS e
            WHERE e.id IN (SELECT execution_id FROM execution_stragglers) AND ${sql}) AS n`,
      [...totals.parameters, ...parameters, ...parameters],
    );
  }

  private async sum(sql: string, parameters: readonly unknown[]): Promise<number> {
    const [row] = await this.reader.rows<{ readonly n: number | string }>(sql, parameters);
    return Number(row?.n ?? 0);
  }
}

/** Whether the totals tell apart what the filter tells apart. */
function isKept(filter: ExecutionFilter): boolean {
  const { sessionId, createdAfter, createdBefore, metadata, ids, isNotRetried } = filter;
  return (
    ids === undefined &&
    isNotRetried !== true &&
    sessionId === undefined &&
    createdAfter === undefined &&
    createdBefore === undefined &&
    (metadata === undefined || metadata.size === 0)
  );
}
