import { afterEach, expect, it } from 'vitest';
import { setTimeZone } from '../../format/time.ts';
import { entriesOf, monthAfter, monthGrid, monthOf } from './month-grid.ts';

/** Converts a local time to an ISO timestamp, so that the tests pass in any time zone. */
const local = (...parts: [number, number, number, number]): string => new Date(...parts).toISOString();

it('the weeks of the month grid start on Monday, and the days of other months are empty', () => {
  const weeks = monthGrid({ year: 2026, month: 10 }, []);
  expect(weeks.map((week) => week.map((day) => day?.day ?? null))).toEqual([
    [null, null, null, null, null, null, 1],
    [2, 3, 4, 5, 6, 7, 8],
    [9, 10, 11, 12, 13, 14, 15],
    [16, 17, 18, 19, 20, 21, 22],
    [23, 24, 25, 26, 27, 28, 29],
    [30, null, null, null, null, null, null],
  ]);
});

it('the month grid shows past and future times of a schedule on their local day, sorted by time', () => {
  const fire = (at: string) =>
    ({ scheduled_for: at, fired_at: at, outcome: 'started', reason: null, execution_id: 'e' }) as const;
  const entries = entriesOf(
    [fire(local(2026, 10, 5, 9)), fire(local(2026, 10, 5, 8)), fire(local(2026, 9, 5, 8))],
    [local(2026, 10, 30, 23), local(2026, 11, 1, 0)],
  );
  const days = monthGrid({ year: 2026, month: 10 }, entries).flat();
  const shown = days.filter((day) => day !== null && day.entries.length > 0);
  expect(shown).toEqual([
    {
      day: 5,
      entries: [
        { at: local(2026, 10, 5, 8), status: 'started', executionId: 'e' },
        { at: local(2026, 10, 5, 9), status: 'started', executionId: 'e' },
      ],
    },
    { day: 30, entries: [{ at: local(2026, 10, 30, 23), status: 'pending', executionId: null }] },
  ]);
});

it('`monthAfter` returns January of the next year after December, and December of the previous year before January', () => {
  expect(monthAfter({ year: 2026, month: 11 }, 1)).toEqual({ year: 2027, month: 0 });
  expect(monthAfter({ year: 2026, month: 0 }, -1)).toEqual({ year: 2025, month: 11 });
});

afterEach(() => setTimeZone('local'));

it('the month grid shows a scheduled time on its day in the time zone that the user has chosen', () => {
  const at = '2026-11-30T20:00:00.000Z';
  const daysOf = (month: number): readonly number[] =>
    monthGrid({ year: 2026, month }, entriesOf([], [at]))
      .flat()
      .flatMap((day) => (day !== null && day.entries.length > 0 ? [day.day] : []));
  setTimeZone('UTC');
  expect([monthOf(Date.parse(at)).month, daysOf(10), daysOf(11)]).toEqual([10, [30], []]);
  setTimeZone('Asia/Tokyo');
  expect([monthOf(Date.parse(at)).month, daysOf(10), daysOf(11)]).toEqual([11, [], [1]]);
});
