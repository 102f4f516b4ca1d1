import { expect, it } from 'vitest';
import { readModuleName } from './module-name.js';

it.each([
  ['invoices', 'invoice'],
  ['policies', 'policy'],
  ['boxes', 'box'],
  ['branches', 'branch'],
  ['expenses', 'expense'],
])('parses the module name %s and derives the singular %s', (plural, singular) => {
  expect(readModuleName(plural)).toEqual({ plural, singular });
});

it.each(['Invoices', 'invoice', 'sales-orders', 'class', 's', '', '../invoices'])(
  'refuses %j as a module name',
  (word) => {
    expect(() => readModuleName(word)).toThrow(/plural noun/);
  },
);
