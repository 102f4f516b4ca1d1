import { TICK_MS } from './use-now.ts';

const SECOND = 1000;
const STEPS: readonly (readonly [limit: number, size: number, unit: Intl.RelativeTimeFormatUnit])[] = [
  [60 * SECOND, SECOND, 'second'],
  [60 * 60 * SECOND, 60 * SECOND, 'minute'],
  [24 * 3600 * SECOND, 3600 * SECOND, 'hour'],
  [100 * 24 * 3600 * SECOND, 24 * 3600 * SECOND, 'day'],
  [365 * 24 * 3600 * SECOND, 30 * 24 * 3600 * SECOND, 'month'],
  [Infinity, 365 * 24 * 3600 * SECOND, 'year'],
];
/** Shorter distances are shown as "now". */
const NOW_MS = 5 * SECOND;

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });
const absolute = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'long' });
const clock = new Intl.DateTimeFormat('en', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
  hourCycle: 'h23',
});

/** Distance of an instant from now: `now`, `12 sec. ago`, `in 3 days`. */
export function relativeTime(instant: string | number, now: number): string {
  const away = new Date(instant).getTime() - now;
  const size = Math.abs(away);
  // The page's clock may lag by one tick, so an event that just happened must not appear in the future.
  if (size < NOW_MS || (away > 0 && away < TICK_MS + NOW_MS)) return 'now';
  const [, step, unit] = STEPS.find(([limit]) => size < limit) ?? [0, 1, 'second'];
  return relative.format(Math.round(away / step), unit);
}

/** The instant in the user's time zone, with the zone's name: for tooltips. */
export function absoluteTime(instant: string | number): string {
  return absolute.format(new Date(instant));
}

/** The time of day with milliseconds: `14:02:11.208`. */
export function timeOfDay(instant: string | number): string {
  return clock.format(new Date(instant));
}
