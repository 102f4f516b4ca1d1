/**
 * Matches a date-time with a time zone (RFC 3339). Other forms of ISO 8601 are not accepted, because parsers disagree
 * about their meaning.
 */
const INSTANT = /^(\d{4})-(\d{2})-(\d{2})T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/i;

/** Epoch milliseconds of the start of the year 10000, which has more than four digits. */
const END_MS = 253_402_300_800_000;

/** Returns the epoch milliseconds of an RFC 3339 time from the year 1970 to 9999; undefined for any other string. */
export function instantOf(text: string): number | undefined {
  const [, year, month, day] = INSTANT.exec(text) ?? [];
  // `Date.parse` accepts February 31 as a day in March, so the day is compared with the length of its month.
  if (year === undefined || Number(day) > new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate())
    return undefined;
  const at = Date.parse(text);
  return at >= 0 && at < END_MS ? at : undefined;
}
