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
])('recognizes %s as a temporary outage', (code) => {
  expect(databaseIsAway(failed(code))).toBe(true);
  expect(databaseIsAway(new Error('query failed', { cause: failed(code) }))).toBe(true);
  expect(databaseIsAway(Object.assign(new Error('query failed'), { driverError: failed(code) }))).toBe(true);
});

it.each(['SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_ERROR', '23505', '42P01', 'ENOENT'])(
  'does not take %s for a temporary outage',
  (code) => {
    expect(databaseIsAway(failed(code))).toBe(false);
  },
);

it('recognizes driver messages without a code', () => {
  expect(databaseIsAway(new Error('Connection terminated unexpectedly'))).toBe(true);
  expect(databaseIsAway('SQLITE_BUSY')).toBe(false);
});

it('stops at circular error causes', () => {
  const circular = new Error('a');
  circular.cause = circular;
  expect(databaseIsAway(circular)).toBe(false);
});
