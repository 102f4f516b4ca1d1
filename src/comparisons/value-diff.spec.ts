import { describe, expect, it } from 'vitest';
import type { Json } from '../expressions/index.js';
import { areEqual, valueDifferences } from './value-diff.js';

const changes = (base: Json, other: Json): readonly unknown[] => valueDifferences(base, other, 100).changes;

describe('valueDifferences', () => {
  it.each<[Json, Json]>([
    [null, null],
    [1.5, 1.5],
    [
      { a: 1, b: [1, { c: null }] },
      { b: [1, { c: null }], a: 1 },
    ],
    [[], []],
  ])('`valueDifferences` finds no difference between the equal values %j and %j', (base, other) => {
    expect(valueDifferences(base, other, 100)).toEqual({ total: 0, changes: [] });
  });

  it('`valueDifferences` reports a text and an object as one difference with an empty path', () => {
    expect(changes('a', { b: 1 })).toEqual([{ path: '', kind: 'changed', base: 'a', other: { b: 1 } }]);
  });

  it('`valueDifferences` reports one difference between an object and an array, and between null and an object or array', () => {
    expect([changes({}, []).length, changes(null, {}).length, changes([], null).length]).toEqual([1, 1, 1]);
  });

  it('`valueDifferences` lists differences in the order of the keys of the first value, and then added keys', () => {
    expect(changes({ kept: 1, gone: 2, price: 3 }, { kept: 1, price: 4, fresh: null })).toEqual([
      { path: '/gone', kind: 'removed', base: 2 },
      { path: '/price', kind: 'changed', base: 3, other: 4 },
      { path: '/fresh', kind: 'added', other: null },
    ]);
  });

  it('`valueDifferences` escapes slash and tilde of a key in the path of a difference', () => {
    expect(changes({ 'a/b~c': 1 }, { 'a/b~c': 2 })).toMatchObject([{ path: '/a~1b~0c' }]);
  });

  it('`valueDifferences` ignores inherited keys of an object', () => {
    expect(changes({}, JSON.parse('{"__proto__": 1, "toString": 2}') as Json)).toEqual([
      { path: '/__proto__', kind: 'added', other: 1 },
      { path: '/toString', kind: 'added', other: 2 },
    ]);
  });

  it.each<[Json, Json, string]>([
    [[1, 2, 3], [1, 9, 2, 3], '/1 added'],
    [[1, 2, 3], [1, 3], '/1 removed'],
    [[1, 2], [0, 1, 2], '/0 added'],
    [[{ a: 1 }], [{ a: 1 }, { a: 2 }], '/1 added'],
    [[1, 2], [1, 3], '/1 changed'],
  ])('`valueDifferences` finds one difference between the arrays %j and %j', (base, other, expected) => {
    const { changes: found } = valueDifferences(base, other, 100);
    expect(found.map(({ path, kind }) => `${path} ${kind}`)).toEqual([expected]);
  });

  it('`valueDifferences` counts all differences, and lists only the first ones up to a limit', () => {
    const { total, changes: listed } = valueDifferences([1, 2, 3, 4], [5, 6, 7, 8], 2);
    expect([total, listed.map(({ path }) => path)]).toEqual([4, ['/0', '/1']]);
  });

  it('`valueDifferences` compares values that are nested ten thousand levels deep', () => {
    let base: Json = 1;
    let other: Json = 2;
    for (let level = 0; level < 10_000; level += 1) [base, other] = [{ a: base }, { a: other }];
    expect(valueDifferences(base, other, 1).total).toBe(1);
  });

  it('`valueDifferences` compares nested arrays of different lengths in linear time', () => {
    let base: Json = 1;
    let other: Json = 2;
    for (let level = 0; level < 60; level += 1) [base, other] = [[base], [other, 0]];
    expect(valueDifferences(base, other, 100).total).toBe(61);
  });

  it.each<[Json, Json, boolean]>([
    [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
    [[1, { a: [] }], [1, { a: [] }], true],
    [[1], [2], false],
    [[1], [1, 2], false],
    [{ a: 1 }, { b: 1 }, false],
    [{ a: 1 }, { a: 1, b: 1 }, false],
    [{ a: 1 }, [1], false],
    [null, {}, false],
  ])('`areEqual` compares %j with %j and returns %s', (base, other, expected) => {
    expect(areEqual(base, other)).toBe(expected);
  });
});
