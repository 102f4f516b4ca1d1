/** Local time as the epoch milliseconds of the same time in UTC: 09:00 in Berlin equals 09:00 UTC. */
export type LocalTime = number;

/** One day: longer than any change of a UTC offset, and shorter than the time between two changes. */
const DAY_MS = 86_400_000;

/** Converts between points in time and local times, including daylight saving time. */
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
   * The time of a local time in epoch milliseconds. Returns the first of two occurrences, and the end of the gap for
   * a skipped local time.
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

  /** The first time after the gap in which the clock skips a local time. */
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
