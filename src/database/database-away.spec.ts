import { expect, it } from 'vitest';
import { databaseIsAway } from './database-away.js';

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
])('`databaseIsAway` classifies %s as a temporary outage of the database', (code) => {
  expect(databaseIsAway(failed(code))).toBe(true);
  expect(databaseIsAway(new Error('query failed', { cause: failed(code) }))).toBe(true);
  expect(databaseIsAway(Object.assign(new Error('query failed'), { driverError: failed(code) }))).toBe(true);
});

it.each(['SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_ERROR', '23505', '42P01', 'ENOENT'])(
  '`databaseIsAway` does not classify %s as a temporary outage of the database',
  (code) => {
    expect(databaseIsAway(failed(code))).toBe(false);
  },
);

it('`databaseIsAway` classifies a driver error without an error code by its message', () => {
  expect(databaseIsAway(new Error('Connection terminated unexpectedly'))).toBe(true);
  expect(databaseIsAway('SQLITE_BUSY')).toBe(false);
});

it('`databaseIsAway` returns for an error with circular causes instead of looping forever', () => {
  const circular = new Error('a');
  circular.cause = circular;
  expect(databaseIsAway(circular)).toBe(false);
});
