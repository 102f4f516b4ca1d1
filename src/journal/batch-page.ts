import type { Batch } from './batch.js';

/** Maximum number of bytes that one read of the journal returns. The first batch is returned even if it is larger. */
export const PAGE_BYTES = 4 * 1024 * 1024;

export interface BatchPage {
  readonly batches: readonly Batch[];
  /** Whether the journal contains more batches after this page. */
  readonly hasMore: boolean;
}

const COLUMNS = [
  'position',
  'id',
  'execution_id',
  'project_id',
  'workflow_id',
  'session_id',
  'first_sequence',
  'last_sequence',
  'body',
];

export const BATCH_COLUMNS = COLUMNS.join(', ');

/**
 * Returns SQL that reads at most `limit` batches with at most `PAGE_BYTES` bytes. The query sums the stored sizes
 * first, so that it reads no body beyond this limit.
 * @param order column by which the batches are sorted
 */
export function pageSql(condition: string, order: 'position' | 'first_sequence', limit: number): string {
  return pageOfSql(
    `SELECT position, ${order} AS place, octet_length(body) AS size FROM journal
     WHERE ${condition} ORDER BY ${order} LIMIT ${limit}`,
  );
}

/**
 * Returns SQL for PostgreSQL that reads batches of some projects by position. Like `pageSql`, reads at most
 * `limit` batches and at most `PAGE_BYTES` bytes. One index seek per project finds the batches, so batches of
 * other projects cost nothing. The first parameter is the list of project ids.
 */
export function pageOfProjectsSql(condition: string, limit: number): string {
  return pageOfSql(
    `SELECT found.* FROM unnest(?::uuid[]) AS selected(id) CROSS JOIN LATERAL (
       SELECT position, position AS place, octet_length(body) AS size FROM journal
       WHERE project_id = selected.id AND ${condition} ORDER BY position LIMIT ${limit}
     ) AS found ORDER BY position LIMIT ${limit}`,
  );
}

/** @param candidates SQL for the position, place and size of batches */
function pageOfSql(candidates: string): string {
  return `SELECT ${COLUMNS.map((column) => `journal.${column}`).join(', ')}, sized.candidates
    FROM (
      SELECT position, place, count(*) OVER () AS candidates, sum(size) OVER (ORDER BY place) - size AS bytes_before
      FROM (${candidates}) AS found
    ) AS sized CROSS JOIN journal
    WHERE journal.position = sized.position AND sized.bytes_before < ${PAGE_BYTES} ORDER BY sized.place`;
}

/** @param rows result of `pageSql` with the same `limit` */
export function pageOf<Row extends { readonly candidates: number | string }>(
  rows: readonly Row[],
  limit: number,
  toBatch: (row: Row) => Batch,
): BatchPage {
  const candidates = Number(rows[0]?.candidates ?? 0);
  return { batches: rows.map(toBatch), hasMore: candidates === limit || rows.length < candidates };
}
