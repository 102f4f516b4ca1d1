import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import { firstIdAt } from '../platform/index.js';

/**
 * Number of leading hexadecimal digits of a UUID v7 that identify the period in which a row was created. A period has
 * 2^24 ms, about 4 h 40 min. The database triggers of `list_counts` use the same number of digits.
 */
const PERIOD_LENGTH = 6;

/** Selects which stored counts in the table `list_counts` are added up. */
export interface CountedPart {
  readonly listId: string;
  readonly status?: string | undefined;
  /** Epoch milliseconds. Only rows created at or after this time are counted; absent for all rows. */
  readonly from?: number | undefined;
}

/**
 * Returns the number of rows in a part of a list, mostly from counts that are stored per period. The rows of the first
 * period are counted one by one, because `from` may lie within that period.
 *
 * @param query selects the rows of the part
 */
export async function sumCounts<Row extends ObjectLiteral>(
  query: SelectQueryBuilder<Row>,
  { listId, status, from }: CountedPart,
): Promise<number> {
  const counts = query.dataSource
    .createQueryBuilder()
    .select('COALESCE(SUM(c.items), 0)', 'items')
    .from('list_counts', 'c')
    .where('c.list_id = :listId', { listId });
  if (status !== undefined) counts.andWhere('c.status = :countedStatus', { countedStatus: status });
  if (from === undefined) return itemsOf(counts);
  const period = firstIdAt(from).slice(0, PERIOD_LENGTH);
  counts.andWhere('c.period > :period', { period });
  const begin = query
    .clone()
    .andWhere(`${query.alias}.id < :nextPeriod`, { nextPeriod: firstIdAfter(period) })
    .select(`COUNT(*) + (${counts.getQuery()})`, 'items')
    .setParameters(counts.getParameters());
  return itemsOf(begin);
}

async function itemsOf<Row extends ObjectLiteral>(query: SelectQueryBuilder<Row>): Promise<number> {
  return Number((await query.getRawOne<{ readonly items: number | string }>())?.items ?? 0);
}

function firstIdAfter(period: string): string {
  const next = (parseInt(period, 16) + 1).toString(16).padStart(PERIOD_LENGTH, '0');
  return `${next}00-0000-0000-0000-000000000000`;
}
