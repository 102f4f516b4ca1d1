/** Matches a date-time with zone (RFC 3339). Parsers disagree about other forms of ISO 8601. */
const INSTANT = /^(\d{4})-(\d{2})-(\d{2})T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/i;

/** 10000-01-01. Later years have more than four digits. */
const END_MS = 253_402_300_800_000;

/** Epoch milliseconds of an RFC 3339 time between 1970 and 9999. Undefined for any other string. */
export function instantOf(text: string): number | undefined {
  const [, year, month, day] = INSTANT.exec(text) ?? [];
  // `Date.parse` alone would turn February 31 into a day in March.
  if (year === undefined || Number(day) > new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate())
    return undefined;
  const at = Date.parse(text);
  return at >= 0 && at < END_MS ? at : undefined;
}
