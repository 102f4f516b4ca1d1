import { describe, expect, it } from 'vitest';
import { isDeeperThan } from './json-depth.js';

describe('the depth of JSON', () => {
  it.each([
    [1, 0, false],
    [null, 0, false],
    [[], 0, true],
    [[], 1, false],
    [{ a: [1] }, 1, true],
    [{ a: [1] }, 2, false],
    [{ a: 1, b: { c: { d: 1 } } }, 2, true],
  ])('of %j is beyond %i levels: %s', (value, levels, expected) => {
    expect(isDeeperThan(value, levels)).toBe(expected);
  });
});
