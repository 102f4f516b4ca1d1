/** Milliseconds since 1970 as a wall clock shows them: 09:00 in Berlin is 09:00 UTC in this count. */
export type LocalTime = number;

/** Longer than any change of a clock, and shorter than the time between two of them. */
const DAY_MS = 86_400_000;

/** Wall clock of a time zone, with the changes of daylight saving time. */
export class TimeZone {
  private readonly format: Intl.DateTimeFormat;

  /**
   * @param name IANA, such as `Europe/Berlin`
   * @throws RangeError for a name that no time zone has
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

  /** What the wall clock shows at an instant, in epoch milliseconds. */
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
   * The instant at which the wall clock shows a time. A time that is shown twice gives its first instant; one that is
   * left out, because the clock is put forward over it, gives the instant right after the gap.
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

  /** The first instant at which the wall clock shows more than a time that it leaves out. */
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
