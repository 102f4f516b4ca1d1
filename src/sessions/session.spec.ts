import { expect, it } from 'vitest';
import { statusAt } from './session.js';

const NOON = Date.parse('2026-11-21T12:00:00.000Z');

it('a session is active until it is closed or expires', () => {
  expect(statusAt({ closedAt: null, expiresAt: null }, NOON)).toBe('active');
  expect(statusAt({ closedAt: null, expiresAt: '2026-11-21T12:00:00.001Z' }, NOON)).toBe('active');
  expect(statusAt({ closedAt: null, expiresAt: '2026-11-21T12:00:00.000Z' }, NOON)).toBe('expired');
});

it('a closed session stays closed after its expiry', () => {
  expect(
    statusAt({ closedAt: '2026-11-21T11:00:00.000Z', expiresAt: '2026-11-21T11:30:00.000Z' }, NOON),
  ).toBe('closed');
});
