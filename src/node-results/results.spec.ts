import { describe, expect, it } from 'vitest';
import { RecentResults } from './recent-results.js';
import { canonicalJson, resultKey } from './result-key.js';

const TYPE = { type: 'http', version: 1 };

describe('resultKey', () => {
  it('the key of a result does not depend on the order of object keys', () => {
    const one = { url: 'u', headers: { a: '1', b: [{ x: 1, y: null }] } };
    const other = { headers: { b: [{ y: null, x: 1 }], a: '1' }, url: 'u' };
    expect(resultKey('p', TYPE, one)).toBe(resultKey('p', TYPE, other));
  });

  it.each([
    ['another project', 'q', TYPE, { a: 1 }],
    ['another type', 'p', { type: 'code', version: 1 }, { a: 1 }],
    ['another version of the type', 'p', { type: 'http', version: 2 }, { a: 1 }],
    ['another value', 'p', TYPE, { a: 2 }],
    ['a text instead of a number', 'p', TYPE, { a: '1' }],
    ['another list', 'p', TYPE, { a: [1] }],
    ['another secret', 'p', TYPE, { a: 1, token: 's3cret' }],
  ] as const)('the key of a result changes with %s', (_, project, type, input) => {
    expect(resultKey(project, type, input)).not.toBe(resultKey('p', TYPE, { a: 1 }));
  });

  it('the key of a result is a digest that reveals no input', () => {
    expect(resultKey('p', TYPE, { token: 's3cret' })).toMatch(/^[\w-]{43}$/);
  });

  it('`canonicalJson` writes JSON that parses to the original value', () => {
    const value = { 'ключ "x"': [1, -0, 1e21, 'a\u2028', { __proto: true }], b: {}, a: [] };
    expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
  });
});

describe('RecentResults', () => {
  const result = (output: string) => ({ output, computedAt: 0, expiresAt: 1 });

  it('RecentResults evicts the least recently used results', () => {
    const recent = new RecentResults(320);
    for (let n = 0; n < 10; n += 1) recent.set(`k${n}`, result(String(n)), 30);
    expect(recent.get('k0')?.output).toBe('0');
    recent.set('more', result('more'), 28);
    expect(recent.get('k1')).toBeUndefined();
    expect(recent.get('k0')?.output).toBe('0');
    expect(recent.get('more')?.output).toBe('more');
  });

  it('after a result was replaced, RecentResults counts only the size of the new result', () => {
    const recent = new RecentResults(320);
    for (let n = 0; n < 100; n += 1) recent.set('same', result(String(n)), 30);
    for (let n = 0; n < 8; n += 1) recent.set(`k${n}`, result(''), 30);
    expect(recent.get('same')?.output).toBe('99');
  });

  it('RecentResults keeps no result that is larger than 10 % of the capacity of RecentResults', () => {
    const recent = new RecentResults(320);
    recent.set('large', result('small'), 1);
    recent.set('large', result('large'), 33);
    expect(recent.get('large')).toBeUndefined();
  });
});
