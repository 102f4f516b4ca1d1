import type { FireView } from '../../api/index.ts';
import { clocksAt } from '../../format/time.ts';
import { texts } from '../../texts/en/schedules.ts';

/** An entry of the calendar: a past or future scheduled time of a schedule. */
export interface MonthEntry {
  /** The scheduled time, as an ISO 8601 timestamp. */
  readonly at: string;
  readonly status: FireView['outcome'] | 'pending';
  readonly executionId: string | null;
}

export interface MonthDay {
  readonly day: number;
  readonly entries: readonly MonthEntry[];
}

export interface Month {
  readonly year: number;
  readonly month: number;
}

export const WEEKDAYS = [
  texts.mon,
  texts.tue,
  texts.wed,
  texts.thu,
  texts.fri,
  texts.sat,
  texts.sun,
] as const;

export function monthOf(instant: number): Month {
  return monthIn(clocksAt(instant));
}

export function monthAfter({ year, month }: Month, count: number): Month {
  return monthIn(new Date(Date.UTC(year, month + count, 1)));
}

function monthIn(clocks: Date): Month {
  return { year: clocks.getUTCFullYear(), month: clocks.getUTCMonth() };
}

export function entriesOf(fires: readonly FireView[], upcoming: readonly string[]): readonly MonthEntry[] {
  return [
    ...fires.map(({ scheduled_for, outcome, execution_id }) => ({
      at: scheduled_for,
      status: outcome,
      executionId: execution_id,
    })),
    ...upcoming.map((at) => ({ at, status: 'pending' as const, executionId: null })),
  ];
}

/**
 * The weeks of a month, each from Monday to Sunday. Each day lists its scheduled times, in the time zone of
 * the user.
 */
export function monthGrid(
  { year, month }: Month,
  entries: readonly MonthEntry[],
): readonly (readonly (MonthDay | null)[])[] {
  const days = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const before = (new Date(Date.UTC(year, month, 1)).getUTCDay() + 6) % 7;
  const byDay = Map.groupBy(entries.filter(isWithin({ year, month })), ({ at }) => clocksAt(at).getUTCDate());
  const cells: (MonthDay | null)[] = Array.from({ length: before }, () => null);
  for (let day = 1; day <= days; day += 1)
    cells.push({ day, entries: (byDay.get(day) ?? []).toSorted((a, b) => a.at.localeCompare(b.at)) });
  while (cells.length % WEEKDAYS.length !== 0) cells.push(null);
  return Array.from({ length: cells.length / WEEKDAYS.length }, (_, week) =>
    cells.slice(week * WEEKDAYS.length, (week + 1) * WEEKDAYS.length),
  );
}

function isWithin({ year, month }: Month): (entry: MonthEntry) => boolean {
  return ({ at }) => {
    const shown = monthIn(clocksAt(at));
    return shown.year === year && shown.month === month;
  };
}
