import { afterEach, expect, it } from 'vitest';
import {
  absoluteTime,
  clocksAt,
  dateAndTime,
  displayedZone,
  hourAndMinute,
  instantOfLocal,
  localText,
  relativeTime,
  setTimeZone,
  startOfDay,
  timeOfDay,
} from './time.ts';

const NOW = Date.parse('2026-05-01T12:00:00.000Z');
const SECOND = 1000;
const DAY = 86_400 * SECOND;

it.each([
  [0, 'now'],
  [-4 * SECOND, 'now'],
  [-12 * SECOND, '12 sec. ago'],
  // The page updates its clock every 10 seconds. A time up to 10 seconds ahead of this clock therefore counts as now.
  [9 * SECOND, 'now'],
  [30 * SECOND, 'in 30 sec.'],
  [-90 * 60 * SECOND, '1 hr. ago'],
  [90 * DAY - SECOND, 'in 90 days'],
  [9 * DAY - SECOND, 'in 9 days'],
  [-400 * DAY, 'last yr.'],
])('`relativeTime` describes a time %i ms from now as “%s”', (away, words) => {
  expect(relativeTime(NOW + away, NOW)).toBe(words);
});

afterEach(() => setTimeZone('local'));

it('the dashboard shows times in the time zone that the user has chosen', () => {
  setTimeZone('Asia/Kolkata');
  expect([timeOfDay(NOW), dateAndTime(NOW), absoluteTime(NOW)]).toEqual([
    '17:30:00.000',
    'May 1, 17:30:00.000',
    'May 1, 2026, 5:30:00 PM GMT+5:30',
  ]);
  setTimeZone('UTC');
  expect(timeOfDay(NOW)).toBe('12:00:00.000');
});

it('`setTimeZone` ignores an unknown time zone and keeps the current time zone', () => {
  setTimeZone('UTC');
  setTimeZone('Mars/Olympus');
  expect(timeOfDay(NOW)).toBe('12:00:00.000');
});

it.each([
  ['UTC', '2026-05-01', 0, '2026-05-01T00:00:00.000Z'],
  ['Asia/Kolkata', '2026-05-01', 1, '2026-05-01T18:30:00.000Z'],
  // Summer time starts in Berlin on 2026-03-29 at 1:00 UTC.
  ['Europe/Berlin', '2026-03-29', 0, '2026-03-28T23:00:00.000Z'],
  ['Europe/Berlin', '2026-03-29', 1, '2026-03-29T22:00:00.000Z'],
])('in the time zone %s, the day %s plus %i days starts at %s', (zone, day, plus, expected) => {
  setTimeZone(zone);
  const start = startOfDay(day, plus);
  expect(start === null ? null : new Date(start).toISOString()).toBe(expected);
});

it('`startOfDay` returns null for a text that is not a date', () => {
  expect(startOfDay('soon', 0)).toBeNull();
});

it.each([
  ['Asia/Kolkata', '2026-05-01T17:30', '2026-05-01T12:00:00.000Z'],
  ['America/New_York', '2026-05-01T08:00', '2026-05-01T12:00:00.000Z'],
  // The local time 03:30 is half an hour after the start of summer time in Berlin.
  ['Europe/Berlin', '2026-03-29T03:30', '2026-03-29T01:30:00.000Z'],
])('in the time zone %s, the local time %s converts to the instant %s and back', (zone, local, instant) => {
  setTimeZone(zone);
  expect(new Date(instantOfLocal(local) ?? 0).toISOString()).toBe(instant);
  expect([localText(instant), displayedZone()]).toEqual([local, zone]);
  expect(hourAndMinute(instant)).toBe(local.slice(-5));
  expect(clocksAt(instant).toISOString()).toBe(`${local}:00.000Z`);
});

it('`instantOfLocal` returns null for a text that is not a date and time', () => {
  expect([instantOfLocal('soon'), instantOfLocal('')]).toEqual([null, null]);
});
