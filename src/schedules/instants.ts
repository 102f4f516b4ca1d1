import { Cron } from 'croner';
import { TimeZone } from './local-time.js';

/** When a schedule fires: by a cron expression, at an interval, or once. Times are epoch milliseconds. */
export type Timing =
  | { readonly kind: 'cron'; readonly expression: string; readonly timeZone: string }
  | { readonly kind: 'every'; readonly seconds: number; readonly anchor: number }
  | { readonly kind: 'once'; readonly at: number };

/** The ordered scheduled times of a schedule, computed on demand. */
export interface Instants {
  /**
   * Returns the first scheduled time after the time `after`, in epoch milliseconds; null if no scheduled time follows.
   */
  next(after: number): number | null;
}

export class CronExpressionError extends Error {
  override readonly name = 'CronExpressionError';
}

/**
 * @throws CronExpressionError
 *
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
 * Returns the scheduled times after `after`, up to and including `until`, in order.
 *
 * @param atMost maximum number of scheduled times to return
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
 * Scheduled times of a cron expression. croner computes local times, and `TimeZone.instantOf` converts them to points
 * in time. A local time that occurs twice at a clock change therefore fires only once.
 */
class CronInstants implements Instants {
  private readonly cron: Cron;
  private readonly zone: TimeZone;

  constructor(expression: string, timeZone: string) {
    this.zone = new TimeZone(timeZone);
    try {
      // croner computes in UTC, which has no clock changes. The results of croner are read as local times.
      this.cron = new Cron(expression, { timezone: 'UTC', mode: '5-or-6-parts', paused: true });
    } catch (error) {
      throw new CronExpressionError(reasonOf(error));
    }
    if (this.cron.nextRun(new Date()) === null)
      throw new CronExpressionError('the cron expression matches no date');
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

/** Descriptions of cron fields for error messages, by the names that croner uses in its errors. */
const FIELDS: Readonly<Record<string, string>> = {
  second: 'the second (0 to 59)',
  minute: 'the minute (0 to 59)',
  hour: 'the hour (0 to 23)',
  day: 'the day of the month (1 to 31)',
  nearestWeekdays: 'the day of the month (1 to 31)',
  month: 'the month (1 to 12)',
  dayOfWeek: 'the day of the week (0 to 7)',
};

/** Converts an error of croner to a message for users, without croner's prefix and variable names. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const reason = message
    .replace(/^CronPattern: (?:Syntax error, )?/, '')
    // The invalid number is omitted from the message, because croner counts days and months from 0.
    .replace(/^Invalid value for (\w+).*$/, (_, field: string) => `${FIELDS[field] ?? field} is out of range`)
    .replace(/^(?:invalid configuration format|mode '5-or-6-parts').*$/, 'five or six fields are expected')
    .replace(/\.$/, '');
  return reason.charAt(0).toLowerCase() + reason.slice(1);
}
