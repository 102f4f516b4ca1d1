import { expect, it } from 'vitest';
import { isDatabaseUnavailable } from './database-unavailable.js';

const failed = (code: string, cause?: unknown): Error =>
  Object.assign(new Error('failed', { cause }), { code });

it.each([
  'SQLITE_BUSY',
  'SQLITE_BUSY_SNAPSHOT',
  'SQLITE_LOCKED',
  '57P01',
  '08006',
  '53300',
  '57014',
  'ECONNREFUSED',
])('`isDatabaseUnavailable` classifies %s as a temporary outage of the database', (code) => {
  expect(isDatabaseUnavailable(failed(code))).toBe(true);
  expect(isDatabaseUnavailable(new Error('query failed', { cause: failed(code) }))).toBe(true);
  expect(isDatabaseUnavailable(Object.assign(new Error('query failed'), { driverError: failed(code) }))).toBe(
    true,
  );
});

it.each(['SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_ERROR', '23505', '42P01', 'ENOENT'])(
  '`isDatabaseUnavailable` does not classify %s as a temporary outage of the database',
  (code) => {
    expect(isDatabaseUnavailable(failed(code))).toBe(false);
  },
);

it('`isDatabaseUnavailable` classifies a driver error without an error code by its message', () => {
  expect(isDatabaseUnavailable(new Error('Connection terminated unexpectedly'))).toBe(true);
  expect(isDatabaseUnavailable('SQLITE_BUSY')).toBe(false);
});

it('`isDatabaseUnavailable` returns for an error with circular causes instead of looping forever', () => {
  const circular = new Error('a');
  circular.cause = circular;
  expect(isDatabaseUnavailable(circular)).toBe(false);
});
