import { expect, it } from 'vitest';
import { relativeTime } from './time.ts';

const NOW = Date.parse('2026-05-01T12:00:00.000Z');
const SECOND = 1000;
const DAY = 86_400 * SECOND;

it.each([
  [0, 'now'],
  [-4 * SECOND, 'now'],
  [-12 * SECOND, '12 sec. ago'],
  // The page's clock may lag one tick; the service recorded this instant after that tick.
  [9 * SECOND, 'now'],
  [30 * SECOND, 'in 30 sec.'],
  [-90 * 60 * SECOND, '1 hr. ago'],
  [90 * DAY - SECOND, 'in 90 days'],
  [9 * DAY - SECOND, 'in 9 days'],
  [-400 * DAY, 'last yr.'],
])('describes an instant %i ms away', (away, words) => {
  expect(relativeTime(NOW + away, NOW)).toBe(words);
});
