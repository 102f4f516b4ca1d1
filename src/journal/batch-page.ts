import type { Batch } from './batch.js';

/** Bytes of stored events that one read of the journal loads; the first batch is read whatever its size. */
export const PAGE_BYTES = 4 * 1024 * 1024;

/** Batches that were read at once, in order. */
export interface BatchPage {
  readonly batches: readonly Batch[];
  /** False where nothing follows. */
  readonly hasMore: boolean;
}

/** Columns that a batch is made of. */
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
 * SQL that reads batches up to a number and up to `PAGE_BYTES`. The sizes are read first, which loads no body. Each row
 * says in `candidates` how many rows the number alone allows.
 * @param order the column that they are in the order of
 */
export function pageSql(condition: string, order: 'position' | 'first_sequence', limit: number): string {
  return `SELECT ${COLUMNS.map((column) => `journal.${column}`).join(', ')}, sized.candidates
    FROM (
      SELECT position, place, count(*) OVER () AS candidates, sum(size) OVER (ORDER BY place) - size AS bytes_before
      FROM (
        SELECT position, ${order} AS place, octet_length(body) AS size FROM journal
        WHERE ${condition} ORDER BY ${order} LIMIT ${limit}
      ) AS found
    ) AS sized CROSS JOIN journal
    WHERE journal.position = sized.position AND sized.bytes_before < ${PAGE_BYTES} ORDER BY sized.place`;
}

/** @param rows of `pageSql` with that limit */
export function pageOf<Row extends { readonly candidates: number | string }>(
  rows: readonly Row[],
  limit: number,
  toBatch: (row: Row) => Batch,
): BatchPage {
  const candidates = Number(rows[0]?.candidates ?? 0);
  return { batches: rows.map(toBatch), hasMore: candidates === limit || rows.length < candidates };
}
