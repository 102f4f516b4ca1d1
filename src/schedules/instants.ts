import { Cron } from 'croner';
import { TimeZone } from './local-time.js';

/** When a schedule fires. Times are epoch milliseconds. */
export type Timing =
  | { readonly kind: 'cron'; readonly expression: string; readonly timeZone: string }
  /** Every multiple of `seconds` after `anchor`. */
  | { readonly kind: 'every'; readonly seconds: number; readonly anchor: number }
  | { readonly kind: 'once'; readonly at: number };

/** The instants of a timing, in order, without end for most. */
export interface Instants {
  /** The first instant after a time; null where there is none. */
  next(after: number): number | null;
}

/** Thrown for a cron expression that cannot be read or matches no time. */
export class CronExpressionError extends Error {
  override readonly name = 'CronExpressionError';
}

/**
 * @throws CronExpressionError
 * @throws RangeError for an unknown time zone
 */
export function instantsOf(timing: Timing): Instants {
  switch (timing.kind) {
    case 'cron':
      return new CronInstants(timing.expression, timing.timeZone);
    case 'every': {
      const interval = timing.seconds * 1_000;
      const { anchor } = timing;
      return { next: (after) => anchor + (Math.floor((after - anchor) / interval) + 1) * interval };
    }
    case 'once':
      return { next: (after) => (timing.at > after ? timing.at : null) };
  }
}

/**
 * Instants after a time, in order, up to and including another.
 * @param atMost of them; the rest is left out
 */
export function instantsBetween(
  instants: Instants,
  after: number,
  until: number,
  atMost: number,
): readonly number[] {
  const found: number[] = [];
  for (
    let instant = instants.next(after);
    instant !== null && instant <= until && found.length < atMost;
    instant = instants.next(instant)
  )
    found.push(instant);
  return found;
}

/**
 * Instants of a cron expression of five or six fields, or `@daily` and its kind. The expression speaks of the wall clock:
 * croner finds the wall-clock times, and each of them is turned into an instant by `TimeZone.instantOf`. So every local
 * time of a list or range fires once on a day on which the clock is put back or forward; a library that computes in the
 * time zone decides by hour instead and drops some of them.
 */
class CronInstants implements Instants {
  private readonly cron: Cron;
  private readonly zone: TimeZone;

  constructor(expression: string, timeZone: string) {
    this.zone = new TimeZone(timeZone);
    try {
      // In UTC no clock is ever changed: times of this cron are wall-clock times.
      this.cron = new Cron(expression, { timezone: 'UTC', mode: '5-or-6-parts', paused: true });
    } catch (error) {
      throw new CronExpressionError(reasonOf(error));
    }
    if (this.cron.nextRun(new Date()) === null)
      throw new CronExpressionError('no date matches the expression');
  }

  next(after: number): number | null {
    let local: Date | null = new Date(this.zone.localTime(after));
    for (;;) {
      local = this.cron.nextRun(local);
      if (local === null) return null;
      const instant = this.zone.instantOf(local.getTime());
      if (instant > after) return instant;
    }
  }
}

/** Fields of an expression as croner names them, in words. */
const FIELDS: Readonly<Record<string, string>> = {
  second: 'the second (0 to 59)',
  minute: 'the minute (0 to 59)',
  hour: 'the hour (0 to 23)',
  day: 'the day of the month (1 to 31)',
  nearestWeekdays: 'the day of the month (1 to 31)',
  month: 'the month (1 to 12)',
  dayOfWeek: 'the day of the week (0 to 7)',
};

/** What croner says, in words of the field: its own name is left out, and so are the names of its variables. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const reason = message
    .replace(/^CronPattern: (?:Syntax error, )?/, '')
    // It counts days and months from 0 here, so the value that it tells is left out, too.
    .replace(/^Invalid value for (\w+).*$/, (_, field: string) => `${FIELDS[field] ?? field} is out of range`)
    .replace(/^(?:invalid configuration format|mode '5-or-6-parts').*$/, 'five or six fields are expected')
    .replace(/\.$/, '');
  return reason.charAt(0).toLowerCase() + reason.slice(1);
}
