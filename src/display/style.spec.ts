import { expect, it } from 'vitest';
import { type Style, styleOf } from './style.js';

it.each<[Record<string, string>, boolean, Style]>([
  [{}, true, { unicode: true, colour: true }],
  [{}, false, { unicode: true, colour: false }],
  [{ NO_COLOR: '1' }, true, { unicode: true, colour: false }],
  [{ NO_COLOR: '' }, true, { unicode: true, colour: true }],
  [{ TERM: 'dumb' }, true, { unicode: false, colour: false }],
])('maps environment %j and terminal %s to style %j', (environment, isTerminal, style) => {
  expect(styleOf(environment, isTerminal)).toEqual(style);
});
