import { expect, it } from 'vitest';
import { acceptedEncoding } from './accepted-encoding.js';

const ALL = ['br', 'gzip', 'identity'] as const;

it.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['GZIP', 'gzip'],
  ['br;q=0, gzip;q=0.5', 'gzip'],
  ['br;q=0.000, gzip; q=0', 'identity'],
  ['deflate', 'identity'],
  ['', 'identity'],
  [undefined, 'identity'],
])('the response encoding for Accept-Encoding %s is %s', (header, wanted) => {
  expect(acceptedEncoding(header, ALL)).toBe(wanted);
});

it('a response uses only an encoding in which the file is stored', () => {
  expect(acceptedEncoding('br, gzip', ['identity'])).toBe('identity');
});
