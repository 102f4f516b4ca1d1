import { expect, it } from 'vitest';
import { nameFault } from './secret-name.ts';

it.each(['', 'A', 'PAYMENT_KEY', 'KEY_2', 'A'.repeat(64)])('the secret name %j is valid', (name) => {
  expect(nameFault(name)).toBeUndefined();
});

it.each([
  ['payment-key', 'PAYMENT_KEY'],
  ['2nd key', 'ND_KEY'],
  ['_KEY', 'KEY'],
  ['KEY ', 'KEY'],
])('the error for the invalid secret name %j suggests %s', (name, suggestion) => {
  expect(nameFault(name)).toBe(`Use A-Z, 0-9, and _, starting with a letter, for example ${suggestion}.`);
});

it('the error for a secret name without letters suggests no other name', () => {
  expect(nameFault('123')).toBe('Use A-Z, 0-9, and _, starting with a letter.');
});

it('a secret name of more than 64 characters is invalid', () => {
  expect(nameFault('A'.repeat(65))).toBe('Use at most 64 characters.');
});
