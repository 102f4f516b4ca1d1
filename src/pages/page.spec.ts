import { describe, expect, it } from 'vitest';
import { decodeCursor, encodeCursor } from './cursor.js';
import { ValidationError } from '../errors/index.js';
import { page, requireOnePlace } from './page.js';

const source = (count: number) => ({
  rows: Array.from({ length: count }, (_, index) => ({ at: `t${index}`, id: index })),
  total: 9,
  cursorOf: ({ at, id }: { at: string; id: number }) => [at, id],
  toItem: ({ id }: { id: number }) => ({ id }),
});

describe('pages of lists', () => {
  it('a page has `has_more: true` and a `next_cursor` if another row follows the page', () => {
    const { data, pagination } = page({ limit: 2, offset: 4 }, source(3));
    expect(data).toEqual([{ id: 0 }, { id: 1 }]);
    expect(pagination).toEqual({
      total: 9,
      limit: 2,
      offset: 4,
      has_more: true,
      next_cursor: encodeCursor(['t1', 1]),
    });
  });

  it('the last page of a list has `has_more: false` and no `next_cursor`', () => {
    expect(page({ limit: 2, offset: 0 }, source(2)).pagination).toEqual({
      total: 9,
      limit: 2,
      offset: 0,
      has_more: false,
    });
    expect(page({ limit: 2, offset: 0 }, source(0)).pagination).toEqual({
      total: 9,
      limit: 2,
      offset: 0,
      has_more: false,
    });
  });

  it('a list query with both an offset and a cursor is refused', () => {
    expect(() => requireOnePlace({ offset: 1, cursor: 'x' })).toThrow(ValidationError);
    expect(() => requireOnePlace({ offset: 0, cursor: 'x' })).not.toThrow();
  });
});

describe('cursors of lists', () => {
  it('a list cursor is decoded to its original values', () => {
    const values = ['2026-11-21T09:30:00.000Z', 7, 'ü"'];
    expect(decodeCursor(encodeCursor(values), ['string', 'number', 'string'])).toEqual(values);
    expect(encodeCursor(values)).toMatch(/^[\w-]+$/);
  });

  it.each([
    '',
    'x',
    '!!',
    encodeCursor([]),
    encodeCursor([1]),
    encodeCursor(['a', 1]),
    Buffer.from('{"0":"a","length":1}').toString('base64url'),
    Buffer.from('["\\ud800"]').toString('base64url'),
    Buffer.from('["a\\u0000"]').toString('base64url'),
    Buffer.from('[null]').toString('base64url'),
  ])('the cursor %j is refused if the list expects a cursor with one text', (cursor) => {
    expect(() => decodeCursor(cursor, ['string'])).toThrow(ValidationError);
  });
});
