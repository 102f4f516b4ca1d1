import { describe, expect, it } from 'vitest';
import { cronText, intervalOf, timingText } from './timing-text.ts';

const NONE = { cron: null, every_seconds: null, at: null, time_zone: 'Europe/Berlin' };

describe('timingText', () => {
  it.each([
    [{ cron: '0 9 * * MON-FRI' }, 'At 09:00, Monday through Friday (Europe/Berlin)'],
    [{ cron: '@daily' }, 'At 00:00 (Europe/Berlin)'],
    [{ cron: '*/10 * * * * *' }, 'Every 10 seconds (Europe/Berlin)'],
    [{ every_seconds: 3_600 }, 'Every hour'],
    [{ every_seconds: 5_400 }, 'Every 90 minutes'],
    [{ every_seconds: 172_800 }, 'Every 2 days'],
    [{}, 'Never'],
  ])('the timing %j is described as “%s”', (timing, text) => {
    expect(timingText({ ...NONE, ...timing })).toBe(text);
  });
});

it('`cronText` returns null for an invalid cron expression', () => {
  expect(cronText('61 * * * *')).toBeNull();
});

it('`intervalOf` returns the largest unit that divides an interval without remainder', () => {
  expect(intervalOf(86_400)).toMatchObject({ count: 1, unit: { one: 'day' } });
  expect(intervalOf(61)).toMatchObject({ count: 61, unit: { one: 'second' } });
});
