import { describe, expect, it } from 'vitest';
import { CronExpressionError, instantsBetween, instantsOf, type Timing } from './instants.js';

function cron(expression: string, timeZone = 'UTC'): Timing {
  return { kind: 'cron', expression, timeZone };
}

/** Returns the scheduled times of a timing from `from` to `until`, including both. */
function between(timing: Timing, from: string, until: string): readonly string[] {
  const found = instantsBetween(instantsOf(timing), Date.parse(from) - 1, Date.parse(until), 1_000);
  return found.map((instant) => new Date(instant).toISOString().replace('.000Z', 'Z'));
}

describe('scheduled times of a cron expression', () => {
  it.each([
    ['0 9 * * MON-FRI', 'UTC', ['2026-11-23T09:00:00Z', '2026-11-24T09:00:00Z']],
    ['0 9 * * 1-5', 'Europe/Berlin', ['2026-11-23T08:00:00Z', '2026-11-24T08:00:00Z']],
    ['*/20 * 23 11 *', 'Asia/Kolkata', ['2026-11-22T18:30:00Z', '2026-11-22T18:50:00Z']],
    ['0 0 L * *', 'UTC', ['2026-11-30T00:00:00Z', '2026-12-31T00:00:00Z']],
    ['0 0 * * 5#2', 'UTC', ['2026-12-11T00:00:00Z', '2027-01-08T00:00:00Z']],
    ['@daily', 'America/New_York', ['2026-11-22T05:00:00Z', '2026-11-23T05:00:00Z']],
    ['15,45 0 0 * * *', 'UTC', ['2026-11-22T00:00:15Z', '2026-11-22T00:00:45Z']],
    ['0 0 29 2 *', 'UTC', ['2028-02-29T00:00:00Z', '2032-02-29T00:00:00Z']],
    // This cron expression restricts the day of the month and the day of the week. As in Unix cron, a date matches if
    // at least one of the two restrictions is met.
    ['0 0 13 * 5', 'UTC', ['2026-11-27T00:00:00Z', '2026-12-04T00:00:00Z']],
  ])('the cron expression %s in the time zone %s fires at the times %j', (expression, timeZone, expected) => {
    const instants = instantsOf(cron(expression, timeZone));
    expect(
      instantsBetween(instants, Date.parse('2026-11-21T23:59:59Z'), Infinity, 2).map((instant) =>
        new Date(instant).toISOString().replace('.000Z', 'Z'),
      ),
    ).toEqual(expected);
  });

  it.each([
    ['nonsense', 'UTC', CronExpressionError],
    ['* * * *', 'UTC', CronExpressionError],
    ['60 * * * *', 'UTC', CronExpressionError],
    ['0 0 1 1 * * 2030', 'UTC', CronExpressionError],
    ['@reboot', 'UTC', CronExpressionError],
    ['0 0 30 2 *', 'UTC', CronExpressionError],
    ['0 0 * * *', 'Mars/Olympus', RangeError],
  ])('the cron expression %s in the time zone %s is rejected', (expression, timeZone, error) => {
    expect(() => instantsOf(cron(expression, timeZone))).toThrow(error);
  });

  it.each([
    ['60 * * * *', 'the minute (0 to 59) is out of range'],
    ['* * * 13 *', 'the month (1 to 12) is out of range'],
    ['* * * * 9', 'the day of the week (0 to 7) is out of range'],
    ['* * * *', 'five or six fields are expected'],
    ['0 0 1 1 * * 2030', 'five or six fields are expected'],
    ['*/0 * * * *', 'illegal stepping: 0'],
  ])('the error about the cron expression %s says that %s', (expression, words) => {
    expect(() => instantsOf(cron(expression))).toThrow(new CronExpressionError(words));
  });
});

describe('cron expressions at the start of daylight saving time', () => {
  const day = (expression: string): readonly string[] =>
    between(cron(expression, 'Europe/Berlin'), '2026-03-29T00:00:00Z', '2026-03-29T02:30:00Z');

  it('a cron expression whose local time is skipped by daylight saving time fires right after the gap', () => {
    expect(day('30 2 * * *')).toEqual(['2026-03-29T01:00:00Z']);
  });

  it('a cron expression fires once for several local times that the clock skips', () => {
    expect(day('0,30 2 * * *')).toEqual(['2026-03-29T01:00:00Z']);
    expect(day('0-59 2 * * *')).toEqual(['2026-03-29T01:00:00Z']);
  });

  it('if daylight saving moves a skipped local time to another matching time, a cron schedule fires only once at that time', () => {
    expect(day('0 2,3 * * *')).toEqual(['2026-03-29T01:00:00Z']);
    expect(day('*/30 * * * *')).toEqual([
      '2026-03-29T00:00:00Z',
      '2026-03-29T00:30:00Z',
      '2026-03-29T01:00:00Z',
      '2026-03-29T01:30:00Z',
      '2026-03-29T02:00:00Z',
      '2026-03-29T02:30:00Z',
    ]);
  });

  it('a cron schedule fires at its exact local time right before and right after a daylight saving gap', () => {
    expect(day('59 1 * * *')).toEqual(['2026-03-29T00:59:00Z']);
    expect(day('1 3 * * *')).toEqual(['2026-03-29T01:01:00Z']);
  });
});

describe('cron expressions at the end of daylight saving time', () => {
  const day = (expression: string): readonly string[] =>
    between(cron(expression, 'Europe/Berlin'), '2026-10-24T23:30:00Z', '2026-10-25T02:30:00Z');

  it('a cron expression fires only once at a local time that occurs twice', () => {
    expect(day('30 2 * * *')).toEqual(['2026-10-25T00:30:00Z']);
    expect(day('0,30 2 * * *')).toEqual(['2026-10-25T00:00:00Z', '2026-10-25T00:30:00Z']);
  });

  it('a cron expression with a step does not fire again in a repeated hour', () => {
    expect(day('*/30 * * * *')).toEqual([
      '2026-10-24T23:30:00Z',
      '2026-10-25T00:00:00Z',
      '2026-10-25T00:30:00Z',
      '2026-10-25T02:00:00Z',
      '2026-10-25T02:30:00Z',
    ]);
  });

  it('in the second pass of a repeated hour, the next scheduled time of a daily cron expression is on the next day', () => {
    const instants = instantsOf(cron('15 2 * * *', 'Europe/Berlin'));
    expect(instants.next(Date.parse('2026-10-25T01:05:00Z'))).toBe(Date.parse('2026-10-26T01:15:00Z'));
  });
});

describe('cron expressions at other changes of the UTC offset', () => {
  it('a cron expression fires right after a day that the time zone skips', () => {
    // Samoa skipped the whole day 2011-12-30 when it moved to the other side of the date line.
    expect(
      between(cron('0 12 * * *', 'Pacific/Apia'), '2011-12-29T00:00:00Z', '2012-01-01T00:00:00Z'),
    ).toEqual([
      '2011-12-29T22:00:00Z',
      '2011-12-30T10:00:00Z',
      '2011-12-30T22:00:00Z',
      '2011-12-31T22:00:00Z',
    ]);
  });

  it('a cron schedule fires right after a daylight saving gap of half an hour that skips its scheduled time', () => {
    // On Lord Howe Island, daylight saving time moves the clock by half an hour, from 02:00 to 02:30.
    expect(
      between(cron('15 2 * * *', 'Australia/Lord_Howe'), '2026-10-03T00:00:00Z', '2026-10-03T23:00:00Z'),
    ).toEqual(['2026-10-03T15:30:00Z']);
  });
});

describe('schedules without a cron expression', () => {
  it('the times of an interval schedule are its anchor plus or minus multiples of its interval', () => {
    const timing = { kind: 'every', seconds: 90, anchor: Date.parse('2026-11-22T00:00:10Z') } as const;
    expect(between(timing, '2026-11-21T23:58:00Z', '2026-11-22T00:01:40Z')).toEqual([
      '2026-11-21T23:58:40Z',
      '2026-11-22T00:00:10Z',
      '2026-11-22T00:01:40Z',
    ]);
  });

  it('a one-time schedule fires once', () => {
    const timing = { kind: 'once', at: Date.parse('2026-11-22T00:00:10Z') } as const;
    expect(between(timing, '2026-11-21T00:00:00Z', '2026-12-01T00:00:00Z')).toEqual(['2026-11-22T00:00:10Z']);
    expect(instantsOf(timing).next(timing.at)).toBeNull();
  });
});
