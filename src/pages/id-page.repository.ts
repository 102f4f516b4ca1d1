import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import type { IdPlace } from './page.js';

/** The rows of one page, and the exact number of rows on all pages. */
export interface PageRows<Row> {
  readonly items: readonly Row[];
  readonly total: number;
}

interface PageOptions {
  /** Property that identifies a row in the list; by default `id`. */
  readonly column?: string;
  /** Returns the exact number of rows of the query. By default, the database counts them one by one. */
  readonly countRows?: () => Promise<number>;
}

/** Reads one page of a query's rows, sorted by id, and counts all rows. */
export async function pageById<Row extends ObjectLiteral>(
  query: SelectQueryBuilder<Row>,
  { after, order, limit, offset }: IdPlace<string | number>,
  { column = 'id', countRows = () => query.getCount() }: PageOptions = {},
): Promise<PageRows<Row>> {
  const id = `${query.alias}.${column}`;
  const total = await countRows();
  if (after !== undefined) query.andWhere(`${id} ${order === 'asc' ? '>' : '<'} :after`, { after });
  const items = await query
    .orderBy(id, order === 'asc' ? 'ASC' : 'DESC')
    .limit(limit)
    .offset(after === undefined ? offset : 0)
    .getMany();
  return { items, total };
}
