import { isId } from '../platform/index.js';
import { type CursorValues, decodeCursor, encodeCursor } from './cursor.js';
import { ValidationError } from '../errors/index.js';
import type { PageQuery, Pagination } from './page.dto.js';

/** The envelope of every list. */
export interface Page<T> {
  readonly data: readonly T[];
  readonly pagination: Readonly<Pagination>;
}

export interface PageSource<Row, Item> {
  /** In order; one more than `limit` if there is a next page. */
  readonly rows: readonly Row[];
  /** Exact number of rows that match the filter. */
  readonly total: number;
  readonly cursorOf: (row: Row) => CursorValues;
  readonly toItem: (row: Row) => Item;
}

/** One page of a list, from up to `limit + 1` rows. */
export function page<Row, Item>(
  { limit, offset }: Pick<PageQuery, 'limit' | 'offset'>,
  source: PageSource<Row, Item>,
): Page<Item> {
  const { rows, total, cursorOf, toItem } = source;
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const hasMore = rows.length > limit && last !== undefined;
  return {
    data: shown.map(toItem),
    pagination: {
      total,
      limit,
      offset,
      has_more: hasMore,
      ...(hasMore ? { next_cursor: encodeCursor(cursorOf(last)) } : {}),
    },
  };
}

/** @throws ValidationError when a query gives two positions */
export function requireOnePlace({ offset, cursor }: Pick<PageQuery, 'offset' | 'cursor'>): void {
  if (cursor !== undefined && offset > 0)
    throw ValidationError.of('offset', 'offset_with_cursor', 'cannot be given together with cursor');
}

/** A page of a list in the order of its ids, which is the order of creation. */
export interface IdPlace {
  /** One row more than is shown, by which `page` detects a next page. */
  readonly limit: number;
  readonly offset: number;
  readonly order: 'asc' | 'desc';
  /** Id of the last row of the previous page. */
  readonly after?: string;
}

/** @throws ValidationError when a query gives two positions, or a cursor of another list */
export function idPlace(query: PageQuery): IdPlace {
  requireOnePlace(query);
  const { limit, offset, order, cursor } = query;
  const place = { limit: limit + 1, offset, order };
  if (cursor === undefined) return place;
  const after = String(decodeCursor(cursor, ['string'])[0]);
  if (!isId(after))
    throw ValidationError.of('cursor', 'malformed_cursor', 'must be a next_cursor of this list');
  return { ...place, after };
}
