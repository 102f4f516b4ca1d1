import cronstrue from 'cronstrue';
import type { ScheduleView } from '../../api/index.ts';
import { absoluteTime } from '../../format/index.ts';
import { texts } from '../../texts/en/schedules.ts';

/**
 * Units of time with their length in seconds. The largest unit comes first, because the search for a unit takes the
 * first match.
 */
export const UNITS = [
  { value: 86_400, one: texts.day, many: texts.days },
  { value: 3_600, one: texts.hour, many: texts.hours },
  { value: 60, one: texts.minute, many: texts.minutes },
  { value: 1, one: texts.second, many: texts.seconds },
] as const;

type Unit = (typeof UNITS)[number];

/**
 * Expresses an interval in the largest unit that divides the interval without remainder: 7,200 seconds become 2 hours.
 */
export function intervalOf(seconds: number): { readonly count: number; readonly unit: Unit } {
  const unit = UNITS.find(({ value }) => seconds % value === 0) ?? UNITS[3];
  return { count: seconds / unit.value, unit };
}

/**
 * Describes a cron expression in words, such as `At 09:00, Monday through Friday`; null if the expression is invalid.
 */
export function cronText(expression: string): string | null {
  try {
    return cronstrue.toString(expression, { use24HourTimeFormat: true, verbose: false });
  } catch {
    return null;
  }
}

/** Describes in words when a schedule fires, such as `At 09:00, Monday through Friday (Europe/Berlin)`. */
export function timingText({
  cron,
  every_seconds,
  at,
  time_zone,
}: Pick<ScheduleView, 'cron' | 'every_seconds' | 'at' | 'time_zone'>): string {
  if (cron !== null) return `${cronText(cron) ?? cron} (${time_zone})`;
  if (every_seconds !== null) {
    const { count, unit } = intervalOf(every_seconds);
    return count === 1 ? texts.everyUnit(unit.one) : texts.everyUnits(String(count), unit.many);
  }
  return at === null ? texts.neverAgain : texts.onceAt(absoluteTime(at));
}
