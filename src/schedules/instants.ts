import { Cron } from 'croner';
import { TimeZone } from './local-time.js';

/** Timing of a schedule. Times are epoch milliseconds. */
export type Timing =
  | { readonly kind: 'cron'; readonly expression: string; readonly timeZone: string }
  | { readonly kind: 'every'; readonly seconds: number; readonly anchor: number }
  | { readonly kind: 'once'; readonly at: number };

/** The scheduled times of a timing, in order. */
export interface Instants {
  /** The first scheduled time after a time in epoch milliseconds. Null for none. */
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
 * The scheduled times after a start time up to and including an end time, in order.
 *
 * @param atMost maximum number of scheduled times
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
 * Scheduled times of a cron expression. croner finds local times, and `TimeZone.instantOf` converts them. Each local
 * time therefore fires once when the clock changes.
 */
class CronInstants implements Instants {
  private readonly cron: Cron;
  private readonly zone: TimeZone;

  constructor(expression: string, timeZone: string) {
    this.zone = new TimeZone(timeZone);
    try {
      // croner computes in UTC, where the clock never changes. Its results are local times.
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

/** Descriptions of fields for error messages, by croner's names. */
const FIELDS: Readonly<Record<string, string>> = {
  second: 'the second (0 to 59)',
  minute: 'the minute (0 to 59)',
  hour: 'the hour (0 to 23)',
  day: 'the day of the month (1 to 31)',
  nearestWeekdays: 'the day of the month (1 to 31)',
  month: 'the month (1 to 12)',
  dayOfWeek: 'the day of the week (0 to 7)',
};

/** croner's error in plain words, without prefix and variable names. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const reason = message
    .replace(/^CronPattern: (?:Syntax error, )?/, '')
    // The number is omitted, because croner counts days and months from 0.
    .replace(/^Invalid value for (\w+).*$/, (_, field: string) => `${FIELDS[field] ?? field} is out of range`)
    .replace(/^(?:invalid configuration format|mode '5-or-6-parts').*$/, 'five or six fields are expected')
    .replace(/\.$/, '');
  return reason.charAt(0).toLowerCase() + reason.slice(1);
}
