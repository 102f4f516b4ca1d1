import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import type { IdPlace } from './page.js';

/** The rows of one page, and the exact number of rows that match the filter. */
export interface PageRows<Row> {
  readonly items: readonly Row[];
  readonly total: number;
}

/**
 * Runs a filtered query as one page in the order of its ids.
 * @param query its main alias has a column `id`
 */
export async function pageById<Row extends ObjectLiteral>(
  query: SelectQueryBuilder<Row>,
  { after, order, limit, offset }: IdPlace,
): Promise<PageRows<Row>> {
  const id = `${query.alias}.id`;
  const total = await query.getCount();
  if (after !== undefined) query.andWhere(`${id} ${order === 'asc' ? '>' : '<'} :after`, { after });
  const items = await query
    .orderBy(id, order === 'asc' ? 'ASC' : 'DESC')
    .limit(limit)
    .offset(after === undefined ? offset : 0)
    .getMany();
  return { items, total };
}
