import { expect, it } from 'vitest';
import { type Style, styleOf } from './style.js';

it.each<[Record<string, string>, boolean, Style]>([
  [{}, true, { unicode: true, color: true }],
  [{}, false, { unicode: true, color: false }],
  [{ NO_COLOR: '1' }, true, { unicode: true, color: false }],
  [{ NO_COLOR: '' }, true, { unicode: true, color: true }],
  [{ TERM: 'dumb' }, true, { unicode: false, color: false }],
])(
  'the output style with the environment %j and with `isTerminal` %s is %j',
  (environment, isTerminal, style) => {
    expect(styleOf(environment, isTerminal)).toEqual(style);
  },
);
