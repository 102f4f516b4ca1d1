import { describe, expect, it } from 'vitest';
import { CronExpressionError, instantsOf } from './instants.js';

const NEW_YORK = 'America/New_York';

/** A test case: a cron expression, its time zone, a start time, and the scheduled times that follow. */
type Row = readonly [expression: string, timeZone: string, after: string, next: readonly string[]];

function nextOf(expression: string, timeZone: string, after: string, count: number): readonly string[] {
  const instants = instantsOf({ kind: 'cron', expression, timeZone });
  const found: string[] = [];
  for (let at: number | null = Date.parse(after); found.length < count;) {
    at = instants.next(at);
    if (at === null) break;
    found.push(new Date(at).toISOString().replace('.000Z', 'Z'));
  }
  return found;
}

/**
 * Test cases from the Go library robfig/cron. In an expression with six fields, the first field stands for
 * seconds.
 */
const ROBFIG: readonly Row[] = [
  ['*/15 * * * *', 'UTC', '2012-07-09T14:45:00Z', ['2012-07-09T15:00:00Z']],
  ['*/15 * * * *', 'UTC', '2012-07-09T14:59:59Z', ['2012-07-09T15:00:00Z']],
  ['*/15 * * * *', 'UTC', '2012-07-09T15:44:59Z', ['2012-07-09T15:45:00Z']],
  ['5-59/15 * * * *', 'UTC', '2012-07-09T15:04:59Z', ['2012-07-09T15:05:00Z', '2012-07-09T15:20:00Z']],
  ['5-59/15 * * * *', 'UTC', '2012-07-09T15:49:59Z', ['2012-07-09T15:50:00Z']],
  ['*/15 * * Jul *', 'UTC', '2012-07-15T14:59:59Z', ['2012-07-15T15:00:00Z']],
  ['0 30 08 ? Jul Sun', 'UTC', '2012-07-15T08:29:59Z', ['2012-07-15T08:30:00Z', '2012-07-22T08:30:00Z']],
  ['0 30 08 15 Jul ?', 'UTC', '2012-07-15T08:29:59Z', ['2012-07-15T08:30:00Z', '2013-07-15T08:30:00Z']],
  ['@hourly', 'UTC', '2012-07-09T14:59:59Z', ['2012-07-09T15:00:00Z', '2012-07-09T16:00:00Z']],
  ['@daily', 'UTC', '2012-07-08T23:59:59Z', ['2012-07-09T00:00:00Z', '2012-07-10T00:00:00Z']],
  ['@weekly', 'UTC', '2012-07-07T23:59:59Z', ['2012-07-08T00:00:00Z', '2012-07-15T00:00:00Z']],
  ['@monthly', 'UTC', '2012-06-30T23:59:59Z', ['2012-07-01T00:00:00Z', '2012-08-01T00:00:00Z']],
  ['0 * * 1,15 * Sun', 'UTC', '2012-07-14T23:59:59Z', ['2012-07-15T00:00:00Z']],
  ['0 * * 1,15 * Sun', 'UTC', '2012-06-14T23:59:59Z', ['2012-06-15T00:00:00Z']],
  ['0 * * 1,15 * Sun', 'UTC', '2012-07-31T23:59:59Z', ['2012-08-01T00:00:00Z']],
  ['0 * * * * Mon', 'UTC', '2012-07-14T23:59:59Z', ['2012-07-16T00:00:00Z']],
  ['0 * * 1,15 * *', 'UTC', '2012-07-08T23:59:59Z', ['2012-07-15T00:00:00Z']],
  ['20-35/15 * * * *', 'UTC', '2012-07-09T15:45:00Z', ['2012-07-09T16:20:00Z']],
  ['*/15 * * * *', 'UTC', '2012-07-09T23:46:00Z', ['2012-07-10T00:00:00Z']],
  ['20-35/15 * * * *', 'UTC', '2012-07-09T23:45:00Z', ['2012-07-10T00:20:00Z']],
  ['15-59/35 20-35/15 * * * *', 'UTC', '2012-07-09T23:35:51Z', ['2012-07-10T00:20:15Z']],
  ['15-59/35 20-35/15 1-23/2 * * *', 'UTC', '2012-07-09T23:35:51Z', ['2012-07-10T01:20:15Z']],
  ['15-59/35 20-35/15 10-12 * * *', 'UTC', '2012-07-09T23:35:51Z', ['2012-07-10T10:20:15Z']],
  ['15-59/35 20-35/15 1-23/2 */2 * *', 'UTC', '2012-07-09T23:35:51Z', ['2012-07-11T01:20:15Z']],
  ['15-59/35 20-35/15 * 9-20 * *', 'UTC', '2012-07-09T23:35:51Z', ['2012-07-10T00:20:15Z']],
  ['15-59/35 20-35/15 * 9-20 Jul *', 'UTC', '2012-07-09T23:35:51Z', ['2012-07-10T00:20:15Z']],
  ['0 0 0 9 Apr-Oct ?', 'UTC', '2012-07-09T23:35:00Z', ['2012-08-09T00:00:00Z']],
  ['0 0 0 * Feb Mon', 'UTC', '2012-07-09T23:35:00Z', ['2013-02-04T00:00:00Z']],
  ['0 * * * * *', 'UTC', '2012-12-31T23:59:45Z', ['2013-01-01T00:00:00Z']],
  ['0 0 0 29 Feb ?', 'UTC', '2012-07-09T23:35:00Z', ['2016-02-29T00:00:00Z']],
  // Start of daylight saving time in New York: the clock moves from 02:00 to 03:00.
  [
    '0 0 * * * ?',
    NEW_YORK,
    '2012-03-11T00:00:00-05:00',
    ['2012-03-11T06:00:00Z', '2012-03-11T07:00:00Z', '2012-03-11T08:00:00Z', '2012-03-11T09:00:00Z'],
  ],
  ['0 0 1 * * ?', NEW_YORK, '2012-03-11T00:00:00-05:00', ['2012-03-11T06:00:00Z', '2012-03-12T05:00:00Z']],
  // End of daylight saving time in New York: the clock moves from 02:00 back to 01:00.
  ['0 30 2 04 Nov ?', NEW_YORK, '2012-11-04T00:00:00-04:00', ['2012-11-04T07:30:00Z']],
  ['0 0 2 * * ?', NEW_YORK, '2012-11-04T00:00:00-04:00', ['2012-11-04T07:00:00Z', '2012-11-05T07:00:00Z']],
  ['0 0 3 * * ?', NEW_YORK, '2012-11-04T00:00:00-04:00', ['2012-11-04T08:00:00Z', '2012-11-05T08:00:00Z']],
];

/** Test cases from the cron library croner. */
const CRONER: readonly Row[] = [
  ['0 0 12 * * *', 'Etc/UTC', '2021-10-31T20:00:00Z', ['2021-11-01T12:00:00Z']],
  ['0 0 12 30 10 *', 'Europe/Stockholm', '2021-09-15T00:00:00Z', ['2021-10-30T10:00:00Z']],
  ['0 0 12 30 10 *', NEW_YORK, '2021-09-15T00:00:00Z', ['2021-10-30T16:00:00Z']],
  ['0 0 23 8 2 2', 'Europe/Stockholm', '2022-02-08T12:00:00Z', ['2022-02-08T22:00:00Z']],
  ['0 0 23 8 2 2', NEW_YORK, '2022-02-08T12:00:00Z', ['2022-02-09T04:00:00Z']],
  [
    '0 0 * * * *',
    'UTC',
    '2025-10-05T00:00:00Z',
    [
      '2025-10-05T01:00:00Z',
      '2025-10-05T02:00:00Z',
      '2025-10-05T03:00:00Z',
      '2025-10-05T04:00:00Z',
      '2025-10-05T05:00:00Z',
    ],
  ],
  ['0 30 1 * * *', NEW_YORK, '2025-11-02T04:00:00Z', ['2025-11-02T05:30:00Z', '2025-11-03T06:30:00Z']],
  ['0 30 1 * * *', NEW_YORK, '2025-11-02T05:31:00Z', ['2025-11-03T06:30:00Z']],
  ['0 30 1 * * *', 'Europe/London', '2025-10-26T00:00:00Z', ['2025-10-26T00:30:00Z', '2025-10-27T01:30:00Z']],
  [
    '* * * * *',
    'America/Los_Angeles',
    '2025-11-02T08:58:00Z',
    ['2025-11-02T08:59:00Z', '2025-11-02T10:00:00Z', '2025-11-02T10:01:00Z'],
  ],
  ['0 0 0 L 2 *', 'UTC', '2022-02-04T12:00:00Z', ['2022-02-28T00:00:00Z']],
  ['0 0 0 L 2 *', 'UTC', '2023-12-30T00:00:00Z', ['2024-02-29T00:00:00Z']],
  [
    '0 0 0 L * *',
    'UTC',
    '2022-01-01T00:00:00Z',
    ['2022-01-31T00:00:00Z', '2022-02-28T00:00:00Z', '2022-03-31T00:00:00Z'],
  ],
  [
    '0 0 0 15,L * *',
    'UTC',
    '2022-01-01T00:00:00Z',
    ['2022-01-15T00:00:00Z', '2022-01-31T00:00:00Z', '2022-02-15T00:00:00Z', '2022-02-28T00:00:00Z'],
  ],
  ['0 0 0 * 2 SUN#L', 'UTC', '2023-12-30T00:00:00Z', ['2024-02-25T00:00:00Z']],
  ['0 0 0 * 2 THU#L', 'UTC', '2023-12-30T00:00:00Z', ['2024-02-29T00:00:00Z']],
  ['0 0 0 * 2 FRI#L', 'UTC', '2023-12-30T00:00:00Z', ['2024-02-23T00:00:00Z']],
  ['0 0 0 * 2 THU-FRI#L', 'UTC', '2023-12-30T00:00:00Z', ['2024-02-23T00:00:00Z', '2024-02-29T00:00:00Z']],
  [
    '0 0 0 * * SAT-SUN#L,SUN#1',
    'UTC',
    '2023-08-09T00:00:00Z',
    [
      '2023-08-26T00:00:00Z',
      '2023-08-27T00:00:00Z',
      '2023-09-03T00:00:00Z',
      '2023-09-24T00:00:00Z',
      '2023-09-30T00:00:00Z',
    ],
  ],
  [
    '0 0 0 * * SUN-MON#3,MON-TUE#1',
    'UTC',
    '2023-08-09T00:00:00Z',
    ['2023-08-20T00:00:00Z', '2023-08-21T00:00:00Z', '2023-09-04T00:00:00Z', '2023-09-05T00:00:00Z'],
  ],
  ['0 0 0 15W 7 *', 'UTC', '2025-07-01T00:00:00Z', ['2025-07-15T00:00:00Z']],
  ['0 0 0 19W 7 *', 'UTC', '2025-07-01T00:00:00Z', ['2025-07-18T00:00:00Z']],
  ['0 0 0 20W 7 *', 'UTC', '2025-07-01T00:00:00Z', ['2025-07-21T00:00:00Z']],
  ['0 0 0 1W 6 *', 'UTC', '2025-05-01T00:00:00Z', ['2025-06-02T00:00:00Z']],
  ['0 0 0 31W 8 *', 'UTC', '2025-08-01T00:00:00Z', ['2025-08-29T00:00:00Z']],
  [
    '@yearly',
    'UTC',
    '2022-02-17T00:00:00Z',
    ['2023-01-01T00:00:00Z', '2024-01-01T00:00:00Z', '2025-01-01T00:00:00Z'],
  ],
  ['@annually', 'UTC', '2022-02-17T00:00:00Z', ['2023-01-01T00:00:00Z']],
  [
    '@monthly',
    'UTC',
    '2022-02-17T00:00:00Z',
    ['2022-03-01T00:00:00Z', '2022-04-01T00:00:00Z', '2022-05-01T00:00:00Z'],
  ],
  [
    '@weekly',
    'UTC',
    '2022-02-17T00:00:00Z',
    ['2022-02-20T00:00:00Z', '2022-02-27T00:00:00Z', '2022-03-06T00:00:00Z'],
  ],
  [
    '@daily',
    'UTC',
    '2022-02-17T12:00:00Z',
    ['2022-02-18T00:00:00Z', '2022-02-19T00:00:00Z', '2022-02-20T00:00:00Z'],
  ],
  [
    '@hourly',
    'UTC',
    '2022-02-16T23:59:00Z',
    ['2022-02-17T00:00:00Z', '2022-02-17T01:00:00Z', '2022-02-17T02:00:00Z'],
  ],
  [
    '1 1 */3 * * *',
    'UTC',
    '2020-01-01T18:01:01Z',
    ['2020-01-01T21:01:01Z', '2020-01-02T00:01:01Z', '2020-01-02T03:01:01Z'],
  ],
  [
    '1 1 0-12/3,1,10 * * *',
    'UTC',
    '2020-01-01T00:00:00Z',
    [
      '2020-01-01T00:01:01Z',
      '2020-01-01T01:01:01Z',
      '2020-01-01T03:01:01Z',
      '2020-01-01T06:01:01Z',
      '2020-01-01T09:01:01Z',
      '2020-01-01T10:01:01Z',
      '2020-01-01T12:01:01Z',
    ],
  ],
  [
    '1 1 3-8/2,1,10 * * sat',
    'UTC',
    '2020-01-01T00:00:00Z',
    [
      '2020-01-04T01:01:01Z',
      '2020-01-04T03:01:01Z',
      '2020-01-04T05:01:01Z',
      '2020-01-04T07:01:01Z',
      '2020-01-04T10:01:01Z',
      '2020-01-11T01:01:01Z',
    ],
  ],
  [
    '1 1 1 */3 *',
    'UTC',
    '2020-12-31T23:59:59Z',
    ['2021-01-01T01:01:00Z', '2021-04-01T01:01:00Z', '2021-07-01T01:01:00Z', '2021-10-01T01:01:00Z'],
  ],
  [
    '0,15,30,45 * * * *',
    'UTC',
    '2025-01-01T10:59:00Z',
    ['2025-01-01T11:00:00Z', '2025-01-01T11:15:00Z', '2025-01-01T11:30:00Z', '2025-01-01T11:45:00Z'],
  ],
];

describe.each([
  ['robfig/cron', ROBFIG],
  ['croner', CRONER],
] as const)('the scheduled times published by %s', (_, rows) => {
  it.each(rows)(
    'the next times of cron %s in the time zone %s after %s equal the times in the tests of another cron library',
    (expression, timeZone, after, next) => {
      expect(nextOf(expression, timeZone, after, next.length)).toEqual(next);
    },
  );
});

/**
 * Test cases in which this service intentionally differs from another cron library. docs/schedules.md gives the
 * reasons.
 */
const DIFFERENCES: readonly (readonly [
  library: string,
  reason: string,
  row: Row,
  published: readonly string[],
])[] = [
  // If daylight saving time skips a scheduled local time, the service fires right after the skipped hour.
  [
    'robfig/cron',
    'fires in the next year',
    ['0 30 2 11 Mar ?', NEW_YORK, '2012-03-11T00:00:00-05:00', ['2012-03-11T07:00:00Z']],
    ['2013-03-11T06:30:00Z'],
  ],
  [
    'robfig/cron',
    'fires on the next day',
    ['0 0 2 * * ?', NEW_YORK, '2012-03-11T00:00:00-05:00', ['2012-03-11T07:00:00Z']],
    ['2012-03-12T06:00:00Z'],
  ],
  [
    'croner',
    'fires an hour later',
    ['0 30 2 * * *', NEW_YORK, '2025-03-09T06:00:00Z', ['2025-03-09T07:00:00Z']],
    ['2025-03-09T07:30:00Z'],
  ],
  [
    'croner',
    'fires half an hour later',
    ['0 30 1 * * *', 'Europe/London', '2025-03-30T00:00:00Z', ['2025-03-30T01:00:00Z']],
    ['2025-03-30T01:30:00Z'],
  ],
  // The end of daylight saving time repeats a local time. The service fires only at the first of the two times.
  [
    'robfig/cron',
    'fires a second time',
    ['0 30 1 04 Nov ?', NEW_YORK, '2012-11-04T01:45:00-04:00', ['2013-11-04T06:30:00Z']],
    ['2012-11-04T06:30:00Z'],
  ],
  [
    'robfig/cron',
    'fires each hour twice',
    ['0 0 * * * ?', NEW_YORK, '2012-11-04T00:00:00-04:00', ['2012-11-04T05:00:00Z', '2012-11-04T07:00:00Z']],
    ['2012-11-04T05:00:00Z', '2012-11-04T06:00:00Z'],
  ],
  [
    'robfig/cron',
    'fires twice in one night',
    ['0 0 1 * * ?', NEW_YORK, '2012-11-04T00:00:00-04:00', ['2012-11-04T05:00:00Z', '2012-11-05T06:00:00Z']],
    ['2012-11-04T05:00:00Z', '2012-11-04T06:00:00Z'],
  ],
  [
    'croner',
    'returns a time in the past',
    ['0 30 1 * * *', NEW_YORK, '2025-11-02T06:00:00Z', ['2025-11-03T06:30:00Z']],
    ['2025-11-02T05:30:00Z'],
  ],
  // `*/5` restricts the day of the month. If the expression also restricts the day of the week, a date matches if at
  // least one of the two restrictions is met.
  [
    'robfig/cron',
    'requires both days to match',
    ['0 0 0 */5 Apr,Aug,Oct Mon', 'UTC', '2012-07-09T23:35:00Z', ['2012-08-01T00:00:00Z']],
    ['2012-08-06T00:00:00Z'],
  ],
  [
    'robfig/cron',
    'requires both days to match',
    ['0 0 * */10 * Sun', 'UTC', '2012-07-14T23:59:59Z', ['2012-07-15T00:00:00Z']],
    ['2012-10-21T00:00:00Z'],
  ],
];

describe('intended differences from the published scheduled times', () => {
  it.each(DIFFERENCES)(
    'unlike the library %s, which %s, the service fires at the times %j',
    (_library, _reason, row, published) => {
      const [expression, timeZone, after, next] = row;
      expect(nextOf(expression, timeZone, after, next.length)).toEqual(next);
      expect(next).not.toEqual(published);
    },
  );

  it.each([
    // The service accepts a step only after `*` or a range. The other libraries also accept a single number, as the
    // start of a range.
    ...[
      '0/15 * * * *',
      '15/35 20-35/15 * * * *',
      '0 0 0 * Feb Mon/2',
      '1 1 12/3,1,10 * * *',
      '1 1 5/3 * *',
      '/3 * * * * *',
    ],
    // The service rejects expressions that match no date. robfig/cron and croner accept such expressions.
    ...['0 0 0 30 Feb ?', '0 0 0 31 Apr ?', '* * * 31 2 *'],
    // The service refuses `@every`, because schedules have the field `every_seconds` for intervals.
    '@every 5m',
  ])('the cron expression %s is refused, although another library accepts the expression', (expression) => {
    expect(() => instantsOf({ kind: 'cron', expression, timeZone: 'UTC' })).toThrow(CronExpressionError);
  });
});

describe('cron expressions that robfig/cron and croner refuse', () => {
  it.each([
    ...['xyz', '60 0 * * *', '0 60 * * *', '0 0 * * XYZ'],
    ...[
      '* * * 32 * *',
      '* * * 0 * *',
      '* * * * 7-13 *',
      '* * * * 0-3 *',
      '* * * * * 8',
      '* * * * * -1',
      '* * 0,23,24 * * *',
    ],
    ...[
      '* a * * * *',
      '* *a * * * *',
      '* *1 * * * *',
      '* */* * * * *',
      '* */0 * * * *',
      '* 10-20/0 * * * *',
      '* 10-70/5 * * * *',
    ],
    ...[
      '* 50-40/5 * * * *',
      '* */a * * * *',
      '* */61 * * * *',
      '* */5/5 * * * *',
      '0 17-9 * * *',
      '@sometimes',
    ],
    ...['0 15W * * * *', '0 0 * * * 2W', '0 0 0 15W-20 * *'],
  ])('the cron expression %s is refused, as in other libraries', (expression) => {
    expect(() => instantsOf({ kind: 'cron', expression, timeZone: 'UTC' })).toThrow(CronExpressionError);
  });
});
