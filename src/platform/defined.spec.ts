import { describe, expect, it } from 'vitest';
import { defined } from './defined.js';

describe('defined', () => {
  it('`defined` removes fields whose value is undefined, and keeps the order of the other fields', () => {
    const given = { b: 1, c: undefined, a: null, d: '' };
    expect(Object.entries(defined(given))).toEqual([
      ['b', 1],
      ['a', null],
      ['d', ''],
    ]);
  });

  it('`defined` returns a type in which fields that may be undefined are optional', () => {
    const given: { readonly id: string; readonly name: string | undefined } = { id: 'x', name: undefined };
    const found: { readonly id: string; readonly name?: string } = defined(given);
    expect(found).not.toHaveProperty('name');
  });
});
