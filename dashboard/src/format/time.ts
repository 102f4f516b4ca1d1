import { texts } from '../texts/en/format.ts';
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
const NOW_MS = 5 * SECOND;

const relative = new Intl.RelativeTimeFormat(texts.locale, { numeric: 'auto', style: 'short' });

interface ZoneFormats {
  readonly absolute: Intl.DateTimeFormat;
  readonly clock: Intl.DateTimeFormat;
  readonly dated: Intl.DateTimeFormat;
  readonly minute: Intl.DateTimeFormat;
}

function formatsIn(timeZone: string | undefined): ZoneFormats {
  const time = {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
    hourCycle: 'h23',
  } as const;
  return {
    absolute: new Intl.DateTimeFormat(texts.locale, { dateStyle: 'medium', timeStyle: 'long', timeZone }),
    clock: new Intl.DateTimeFormat(texts.locale, { ...time, timeZone }),
    dated: new Intl.DateTimeFormat(texts.locale, { ...time, month: 'short', day: 'numeric', timeZone }),
    minute: new Intl.DateTimeFormat(texts.locale, {
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
      timeZone,
    }),
  };
}

let zone: string | undefined;
let formats = formatsIn(zone);

/**
 * Sets the time zone in which the dashboard displays times. A zone that the browser does not know is ignored.
 * @param name IANA name, or `local` for the time zone of the browser
 */
export function setTimeZone(name: string): void {
  const wanted = name === 'local' ? undefined : name;
  if (wanted === zone) return;
  try {
    formats = formatsIn(wanted);
    zone = wanted;
  } catch {
    // The browser does not know the time zone, so the previous time zone stays in use.
  }
}

export function displayedZone(): string {
  return zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/**
 * Returns the start of a day in the displayed time zone, in epoch milliseconds; null if `day` is invalid.
 * @param day date such as `2026-05-01`
 * @param plusDays number of days that are added to `day`
 */
export function startOfDay(day: string, plusDays: number): number | null {
  const utc = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(utc) ? null : instantAt(utc + plusDays * 24 * 3600 * SECOND);
}

/**
 * Converts a local time in the displayed time zone to epoch milliseconds; null if the text is invalid.
 * @param local value of a `datetime-local` input, such as `2026-11-25T09:00`
 */
export function instantOfLocal(local: string): number | null {
  const utc = Date.parse(`${local}Z`);
  return Number.isNaN(utc) ? null : instantAt(utc);
}

/**
 * Formats an instant in the displayed time zone as the value of a `datetime-local` input, such as `2026-11-25T09:00`.
 */
export function localText(instant: string | number): string {
  return clocksAt(instant).toISOString().slice(0, 16);
}

/**
 * Returns the local time at an instant in the displayed time zone. The UTC fields of the returned date contain the
 * local time.
 */
export function clocksAt(instant: string | number): Date {
  const at = new Date(instant).getTime();
  return new Date(at + offsetAt(at));
}

/**
 * @param wall local time in the displayed zone, encoded like UTC epoch milliseconds
 */
function instantAt(wall: number): number {
  // Near a clock change, the first guess may use the UTC offset from before the change instead of after it, or the
  // reverse. The second step corrects the guess.
  const guess = wall - offsetAt(wall);
  return wall - offsetAt(guess);
}

/** Returns the UTC offset of the displayed time zone at an instant, in milliseconds. */
function offsetAt(instant: number): number {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(instant);
  const part = (type: Intl.DateTimeFormatPartTypes): number =>
    Number(parts.find((one) => one.type === type)?.value ?? '0');
  const wall = Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  );
  return wall - Math.floor(instant / SECOND) * SECOND;
}

/** Formats the distance between an instant and `now`, such as `now`, `12 sec. ago` or `in 3 days`. */
export function relativeTime(instant: string | number, now: number): string {
  const away = new Date(instant).getTime() - now;
  const size = Math.abs(away);
  // The page's clock may lag by one tick (10 seconds). A recent event would then appear to be in the future, so `now`
  // is shown instead.
  if (size < NOW_MS || (away > 0 && away < TICK_MS + NOW_MS)) return texts.now;
  const [, step, unit] = STEPS.find(([limit]) => size < limit) ?? [0, 1, 'second'];
  return relative.format(Math.round(away / step), unit);
}

export function absoluteTime(instant: string | number): string {
  return formats.absolute.format(new Date(instant));
}

/** Formats an instant as `May 1, 14:02:11.208`. */
export function dateAndTime(instant: string | number): string {
  return formats.dated.format(new Date(instant));
}

/** Formats an instant as `14:02:11.208`. */
export function timeOfDay(instant: string | number): string {
  return formats.clock.format(new Date(instant));
}

/** Formats an instant as `14:02`. */
export function hourAndMinute(instant: string | number): string {
  return formats.minute.format(new Date(instant));
}

/**
 * Returns a date format in the language of the dashboard. Unlike the other formats, it uses the time zone in `options`,
 * not the displayed time zone.
 */
export function dateFormat(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(texts.locale, options);
}
