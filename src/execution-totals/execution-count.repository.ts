import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { DIALECT, type Dialect, SlowQueryRunner, PreparedReads } from '../storage/index.js';
import { type Condition, conditionsOf, type ExecutionFilter, takesLong } from '../execution-store/index.js';
import { type CreatedRange, type Spans, spansOf } from './spans.js';

/** SQL expression for the watermark of the totals, which is the id of the last execution that the totals include. */
export const WATERMARK_SQL =
  "coalesce((SELECT up_to_id FROM execution_frontier WHERE id = 1), '00000000-0000-0000-0000-000000000000')";

/**
 * Counts the executions that match a filter. If the totals have all columns of the filter, executions up to the
 * watermark are counted by the totals. All other executions are counted row by row.
 */
@Injectable()
export class ExecutionCountRepository {
  private readonly reader: PreparedReads;

  constructor(
    @InjectDataSource() dataSource: DataSource,
    @Inject(DIALECT) private readonly dialect: Dialect,
    private readonly slowQueries: SlowQueryRunner,
  ) {
    this.reader = new PreparedReads(dataSource, dialect);
  }

  async count(filter: ExecutionFilter): Promise<number> {
    const { createdAfter, createdBefore, ...otherFilters } = filter;
    const canUseTotals = totalsHaveColumns(otherFilters);
    if (canUseTotals && createdAfter === undefined && createdBefore === undefined)
      return this.sum(
        [this.totalsQuery('execution_totals', otherFilters), ...this.uncountedQueries(otherFilters)],
        this.reader,
      );
    const spans = canUseTotals ? spansOf(filter) : null;
    return this.sum(
      spans === null ? [this.rowQuery(filter)] : this.rangeQueries(spans, otherFilters),
      takesLong(filter) ? this.slowQueries : this.reader,
    );
  }

  /**
   * Returns count queries for a range of creation times. Whole hours are counted by the totals, and parts of hours row
   * by row.
   */
  private rangeQueries({ units, wholeHours, edges }: Spans, filter: ExecutionFilter): readonly Condition[] {
    const { sql, parameters } = this.totalsQuery('execution_spans', filter);
    return [
      ...units.map(({ unit, from, before }) => ({
        sql: `${sql} AND e.unit = ? AND e.began >= ? AND e.began < ?`,
        parameters: [...parameters, unit, from, before],
      })),
      ...this.uncountedQueries({ ...filter, ...wholeHours }),
      ...edges.map((edge) => this.rowQuery({ ...filter, ...edge })),
    ];
  }

  private totalsQuery(table: 'execution_totals' | 'execution_spans', filter: ExecutionFilter): Condition {
    const { sql, parameters } = conditionsOf(filter, this.dialect, 'totals');
    return { sql: `SELECT coalesce(sum(e.executions), 0) FROM ${table} AS e WHERE ${sql}`, parameters };
  }

  /**
   * Returns count queries for the executions that the totals do not include. These are the executions after the
   * watermark, and the executions that had not ended when the watermark passed their ids.
   */
  private uncountedQueries(filter: ExecutionFilter): readonly Condition[] {
    const { sql, parameters } = this.rowQuery(filter);
    return [
      this.rowQuery(filter, WATERMARK_SQL),
      { sql: `${sql} AND e.id IN (SELECT execution_id FROM execution_stragglers)`, parameters },
    ];
  }

  private rowQuery(filter: ExecutionFilter, past?: string): Condition {
    const { sql, parameters } = conditionsOf(filter, this.dialect, 'executions', past);
    return { sql: `SELECT count(*) FROM executions AS e WHERE ${sql}`, parameters };
  }

  /** Adds the results of count queries in one SQL statement, so that all of the queries see the same watermark. */
  private async sum(queries: readonly Condition[], reads: Pick<PreparedReads, 'rows'>): Promise<number> {
    const [row] = await reads.rows<{ readonly n: number | string }>(
      `SELECT ${queries.map(({ sql }) => `(${sql})`).join(' + ')} AS n`,
      queries.flatMap(({ parameters }) => parameters),
    );
    return Number(row?.n ?? 0);
  }
}

/** Returns true if the totals have all columns that the filter uses, apart from creation times. */
function totalsHaveColumns({
  sessionId,
  retryOf,
  metadata,
  ids,
  isNotRetried,
}: Omit<ExecutionFilter, keyof CreatedRange>): boolean {
  return (
    ids === undefined &&
    isNotRetried !== true &&
    sessionId === undefined &&
    retryOf === undefined &&
    (metadata === undefined || metadata.size === 0)
  );
}
