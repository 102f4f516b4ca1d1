import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import type { IdPlace, PageRows } from '../pages/index.js';
import { DIALECT, type Dialect, EntityRows, SlowQueryRunner, PreparedReads } from '../storage/index.js';
import {
  type Execution,
  ExecutionEntity,
  toExecution,
  type Condition,
  conditionsOf,
  type ExecutionFilter,
  takesLong,
} from '../execution-store/index.js';
import { amongFew } from './metadata-index.js';
import { ExecutionCountRepository } from '../execution-totals/index.js';

const EMPTY_PAGE = { items: [], total: 0 } as const;

/** Lists executions in the order of creation. Ids are UUID v7, so sorting by id sorts by creation time. */
@Injectable()
export class ExecutionListRepository {
  private readonly rows: EntityRows<ExecutionEntity>;
  private readonly reader: PreparedReads;

  constructor(
    @InjectDataSource() dataSource: DataSource,
    @Inject(DIALECT) private readonly dialect: Dialect,
    private readonly counts: ExecutionCountRepository,
    private readonly slowQueries: SlowQueryRunner,
  ) {
    this.rows = new EntityRows(dataSource, dialect, ExecutionEntity);
    this.reader = new PreparedReads(dataSource, dialect);
  }

  async list(wanted: ExecutionFilter, place: IdPlace): Promise<PageRows<Execution>> {
    if (wanted.projectIds.length === 0) return EMPTY_PAGE;
    const filter = await amongFew(wanted, this.reader);
    if (filter.ids?.length === 0) return EMPTY_PAGE;
    const total = await this.counts.count(filter);
    // Limits the query to the number of remaining matches. The database then stops after the last match instead of
    // scanning further rows.
    const limit = place.after === undefined ? Math.min(place.limit, total - place.offset) : place.limit;
    if (total === 0 || limit <= 0) return { items: [], total };
    const { sql, parameters } = this.pageOf(filter, { ...place, limit });
    const found = takesLong(filter)
      ? await this.rows.findLong(this.slowQueries, sql, parameters)
      : await this.rows.find(sql, parameters);
    return { items: found.map(toExecution), total };
  }

  /** Ids of the executions that match a filter and come after the id `after`, oldest first. */
  async idsAfter(wanted: ExecutionFilter, after: string | null, limit: number): Promise<readonly string[]> {
    if (wanted.projectIds.length === 0) return [];
    const filter = await amongFew(wanted, this.reader);
    if (filter.ids?.length === 0) return [];
    const parts = rangesOf(filter).map((range) => {
      const { sql, parameters } = conditionsOf(range, this.dialect);
      return after === null
        ? { sql, parameters }
        : { sql: `${sql} AND e.id > ?`, parameters: [...parameters, after] };
    });
    const reads = takesLong(filter) ? this.slowQueries : this.reader;
    const rows = await reads.rows<{ readonly id: string }>(
      `${idsOf(parts, 'ASC', limit, 0)} ORDER BY id`,
      parts.flatMap(({ parameters }) => parameters),
    );
    return rows.map(({ id }) => id);
  }

  /** The part of a page's SQL after `WHERE`: conditions, order and limit. */
  private pageOf(filter: ExecutionFilter, place: IdPlace): Condition {
    const { limit, order, after } = place;
    const offset = after === undefined ? place.offset : 0;
    const direction = order === 'asc' ? 'ASC' : 'DESC';
    const parts = rangesOf(filter).map((range) => {
      const { sql, parameters } = conditionsOf(range, this.dialect);
      if (after === undefined) return { sql, parameters };
      return { sql: `${sql} AND e.id ${order === 'asc' ? '>' : '<'} ?`, parameters: [...parameters, after] };
    });
    const [first] = parts;
    // A single index already returns the matches in the order of the page, so the query reads that index alone.
    if (first !== undefined && offset === 0 && isInOrder(filter))
      return { ...first, sql: `${first.sql} ORDER BY e.id ${direction} LIMIT ${limit}` };
    return {
      sql: `e.id IN (${idsOf(parts, direction, limit, offset)}) ORDER BY e.id ${direction}`,
      parameters: parts.flatMap(({ parameters }) => parameters),
    };
  }
}

/**
 * SQL for the ids of a page. The database reads the ids from an index, so skipping a large offset reads no table rows.
 */
function idsOf(
  parts: readonly Condition[],
  direction: 'ASC' | 'DESC',
  limit: number,
  offset: number,
): string {
  const selects = parts.map(
    ({ sql }) => `SELECT e.id FROM executions AS e WHERE ${sql} ORDER BY e.id ${direction}`,
  );
  const merged = selects
    .map((select, index) => `SELECT * FROM (${select} LIMIT ${limit + offset}) AS part${index}`)
    .join(' UNION ALL ');
  const [only = '', ...others] = selects;
  const ids = others.length === 0 ? only : `SELECT id FROM (${merged}) AS merged ORDER BY id ${direction}`;
  // The outer query allows the caller to append another `ORDER BY`. SQL does not allow one directly after `LIMIT`.
  return `SELECT id FROM (${ids} LIMIT ${limit} OFFSET ${offset}) AS page`;
}

/** Maximum number of index ranges in one `UNION ALL`. SQLite allows at most 500. */
const MAX_RANGES = 200;

/**
 * Splits a filter into one filter for each project and status. For each of these filters, an index returns the matches
 * in the order of ids, so the database merges them without sorting.
 */
function rangesOf(filter: ExecutionFilter): readonly ExecutionFilter[] {
  if (isInOrder(filter) || filter.ids !== undefined) return [filter];
  const { projectIds, statuses } = filter;
  const ranges = projectIds.flatMap((projectId) =>
    statuses === undefined
      ? [{ ...filter, projectIds: [projectId] }]
      : [...new Set(statuses)].map((status) => ({ ...filter, projectIds: [projectId], statuses: [status] })),
  );
  return ranges.length > MAX_RANGES ? [filter] : ranges;
}

/** Whether one database index returns all matches of the filter in the order of ids. */
function isInOrder({ projectIds, statuses, workflowId, sessionId, retryOf }: ExecutionFilter): boolean {
  if (workflowId !== undefined || sessionId !== undefined || retryOf !== undefined) return true;
  return projectIds.length === 1 && (statuses === undefined || statuses.length === 1);
}
