/**
 * A local time, encoded as the epoch milliseconds of the same date and time in UTC. For example, 09:00 in Berlin is
 * encoded as 09:00 UTC.
 */
export type LocalTime = number;

/**
 * Distance in milliseconds at which the UTC offsets before and after a local time are compared. One day is longer than
 * any clock change, and shorter than the time between two clock changes.
 */
const DAY_MS = 86_400_000;

/** Converts between points in time and local times of a time zone, including daylight saving time. */
export class TimeZone {
  private readonly format: Intl.DateTimeFormat;

  /**
   * @param name IANA name, such as `Europe/Berlin`
   *
   * @throws RangeError for an unknown time zone
   */
  constructor(readonly name: string) {
    this.format = new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
      era: 'short',
    });
  }

  /** @param instant epoch milliseconds */
  localTime(instant: number): LocalTime {
    const parts: Record<string, string> = {};
    for (const { type, value } of this.format.formatToParts(instant)) parts[type] = value;
    const field = (name: string): number => Number(parts[name]);
    const seconds = Date.UTC(
      field('year'),
      field('month') - 1,
      field('day'),
      field('hour'),
      field('minute'),
      field('second'),
    );
    return seconds + (((instant % 1_000) + 1_000) % 1_000);
  }

  /**
   * Returns the point in time of a local time, in epoch milliseconds. If a clock change repeats the local time, the
   * result is its first occurrence. If a clock change skips the local time, the result is the end of the skipped time.
   */
  instantOf(local: LocalTime): number {
    const before = this.offsetAt(local - DAY_MS);
    const after = this.offsetAt(local + DAY_MS);
    if (before === after) return local - before;
    const shown = [local - before, local - after].filter((instant) => this.localTime(instant) === local);
    return shown.length > 0 ? Math.min(...shown) : this.endOfGap(local);
  }

  private offsetAt(instant: number): number {
    return this.localTime(instant) - instant;
  }

  /** Returns the first point in time after the clock change that skips a local time, in epoch milliseconds. */
  private endOfGap(local: LocalTime): number {
    let [below, above] = [local - 2 * DAY_MS, local + 2 * DAY_MS];
    while (above - below > 1) {
      const middle = Math.floor((below + above) / 2);
      if (this.localTime(middle) > local) above = middle;
      else below = middle;
    }
    return above;
  }
}
