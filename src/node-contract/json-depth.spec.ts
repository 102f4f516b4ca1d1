import { describe, expect, it } from 'vitest';
import { isDeeperThan } from './json-depth.js';

describe('isDeeperThan', () => {
  it.each([
    [1, 0, false],
    [null, 0, false],
    [[], 0, true],
    [[], 1, false],
    [{ a: [1] }, 1, true],
    [{ a: [1] }, 2, false],
    [{ a: 1, b: { c: { d: 1 } } }, 2, true],
  ])('`isDeeperThan(%j, %i)` returns %s', (value, levels, expected) => {
    expect(isDeeperThan(value, levels)).toBe(expected);
  });
});
