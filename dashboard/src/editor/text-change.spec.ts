import { expect, it } from 'vitest';
import { changeBetween } from './text-change.ts';

it.each([
  ['abc', 'abxc'],
  ['aaa', 'aa'],
  ['', 'a'],
  ['a', ''],
  ['one two', 'one three two'],
])('`changeBetween` returns one change that turns %j into %j', (before, after) => {
  const change = changeBetween(before, after);
  expect(change && before.slice(0, change.from) + change.insert + before.slice(change.to)).toBe(after);
});

it('`changeBetween` returns null for equal texts', () => {
  expect(changeBetween('a', 'a')).toBeNull();
});
