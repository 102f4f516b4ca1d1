import { expect, it } from 'vitest';
import { readModuleName } from './module-name.js';

it.each([
  ['invoices', 'invoice'],
  ['policies', 'policy'],
  ['boxes', 'box'],
  ['branches', 'branch'],
  ['expenses', 'expense'],
])('the module name %s has the singular %s', (plural, singular) => {
  expect(readModuleName(plural)).toEqual({ plural, singular });
});

it.each(['Invoices', 'invoice', 'sales-orders', 'class', 's', '', '../invoices'])(
  'the module name %j is refused',
  (word) => {
    expect(() => readModuleName(word)).toThrow(/plural noun/);
  },
);
