import { expect, it } from 'vitest';
import { nameFault } from './secret-name.ts';

it.each(['', 'A', 'PAYMENT_KEY', 'KEY_2', 'A'.repeat(64)])('accepts the name %j', (name) => {
  expect(nameFault(name)).toBeUndefined();
});

it.each([
  ['payment-key', 'PAYMENT_KEY'],
  ['2nd key', 'ND_KEY'],
  ['_KEY', 'KEY'],
  ['KEY ', 'KEY'],
])('suggests a valid name for %j', (name, suggestion) => {
  expect(nameFault(name)).toBe(`Use A-Z, 0-9, and _, starting with a letter, for example ${suggestion}.`);
});

it('states only the rule for a name without letters', () => {
  expect(nameFault('123')).toBe('Use A-Z, 0-9, and _, starting with a letter.');
});

it('refuses a name of more than 64 characters', () => {
  expect(nameFault('A'.repeat(65))).toBe('Use at most 64 characters.');
});
