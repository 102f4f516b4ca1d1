import { expect, it } from 'vitest';
import { isLong } from './postgres-batch.js';

it.each([
  ['a', 65_536, false],
  ['a', 65_537, true],
  ['字', 21_846, true],
])('a pipelined commit with %j × %i is too long: %s', (character, count, expected) => {
  const [half, rest] = [Math.floor(count / 2), Math.ceil(count / 2)];
  const steps = [
    { text: 'SELECT $1, $2', values: [character.repeat(half), null] },
    { text: 'SELECT $1', values: [character.repeat(rest)] },
  ];
  expect(isLong(steps)).toBe(expected);
});
