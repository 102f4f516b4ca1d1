import { expect, it } from 'vitest';
import { mergePatch } from './merge-patch.js';

const CASES: readonly (readonly [target: unknown, patch: unknown, result: unknown])[] = [
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [
    ['a', 'b'],
    ['c', 'd'],
    ['c', 'd'],
  ],
  [{ a: 'b' }, ['c'], ['c']],
  [{ a: 'foo' }, null, null],
  [{ a: 'foo' }, 'bar', 'bar'],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: 'b', c: null }, { a: 'b' }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
];

it.each(CASES)(
  '`mergePatch` of %j with the patch %j gives the result of RFC 7396',
  (target, patch, result) => {
    expect(mergePatch(target, patch)).toEqual(result);
  },
);

it('`mergePatch` treats `__proto__` like any other key', () => {
  const target = { a: { b: 1 } };
  const merged = mergePatch(target, JSON.parse('{"__proto__":{"polluted":true},"a":{"c":2}}'));
  expect(Object.getPrototypeOf(merged)).toBe(Object.prototype);
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  expect(target).toEqual({ a: { b: 1 } });
});
