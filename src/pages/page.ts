import { isId } from '../platform/index.js';
import { type CursorValues, decodeCursor, encodeCursor } from './cursor.js';
import { ValidationError } from '../errors/index.js';
import type { PageQuery, Pagination } from './page.dto.js';

export interface Page<T> {
  readonly data: readonly T[];
  readonly pagination: Readonly<Pagination>;
}

export interface PageSource<Row, Item> {
  /** Rows that were read for the page: up to `limit + 1`. The extra row shows that a next page exists. */
  readonly rows: readonly Row[];
  /** Exact number of rows on all pages. */
  readonly total: number;
  readonly cursorOf: (row: Row) => CursorValues;
  readonly toItem: (row: Row) => Item;
}

/** Creates one page of a list from up to `limit + 1` rows. */
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

/** @throws ValidationError when a query has both `offset` and `cursor` */
export function requireOnePlace({ offset, cursor }: Pick<PageQuery, 'offset' | 'cursor'>): void {
  if (cursor !== undefined && offset > 0)
    throw ValidationError.of('offset', 'offset_with_cursor', 'cannot be given together with cursor');
}

/**
 * Position of a page in a list that is sorted by id, which is the order of creation. A list of versions is sorted by
 * version number instead.
 */
export interface IdPlace<Id extends string | number = string> {
  /** Number of rows to read: one more than the page has, to detect whether a next page exists. */
  readonly limit: number;
  readonly offset: number;
  readonly order: 'asc' | 'desc';
  /** Id of the last row on the previous page; absent if the request has no cursor. */
  readonly after?: Id;
}

/**
 * Reads the position of a page from the query parameters of a list.
 *
 * @throws ValidationError when the query has both `offset` and `cursor`, or the cursor does not contain an id
 */
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

/**
 * Returns the ids on one page of a list that is in memory.
 *
 * @param ids all ids of the list, in ascending order
 */
export function idsAt(ids: readonly string[], { after, order, limit, offset }: IdPlace): readonly string[] {
  const isAscending = order === 'asc';
  const ordered = isAscending ? ids : ids.toReversed();
  if (after === undefined) return ordered.slice(offset, offset + limit);
  const first = ordered.findIndex((id) => (isAscending ? id > after : id < after));
  return first < 0 ? [] : ordered.slice(first, first + limit);
}
