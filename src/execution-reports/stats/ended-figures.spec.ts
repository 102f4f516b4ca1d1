import { describe, expect, it } from 'vitest';
import { durationBucket, NEVER_STARTED, HOUR_MS } from '../../execution-totals/index.js';
import { endedFigures, hourFiguresOf } from './ended-figures.js';

const FROM = Date.parse('2026-11-21T10:00:00.000Z');
const hour = (index: number): string => new Date(FROM + index * HOUR_MS).toISOString();
const near = (ms: number): unknown =>
  expect.toSatisfy((value: number) => value > ms * 0.89 && value < ms * 1.11, `near ${ms}`);

describe('endedFigures', () => {
  const counts = [
    { hour: hour(0), status: 'completed', durationBucket: durationBucket(100), executions: 90 },
    { hour: hour(0), status: 'failed', durationBucket: durationBucket(100), executions: 4 },
    { hour: hour(0), status: 'completed', durationBucket: durationBucket(10_000), executions: 6 },
    { hour: hour(2), status: 'timed_out', durationBucket: durationBucket(60_000), executions: 5 },
    { hour: hour(2), status: 'cancelled', durationBucket: NEVER_STARTED, executions: 7 },
  ] as const;

  it('`endedFigures` counts statuses and durations by hour, including hours without executions', () => {
    const figures = endedFigures(hourFiguresOf(counts), FROM, 4);
    expect(figures.byStatus).toEqual(
      new Map([
        ['completed', 96],
        ['failed', 4],
        ['timed_out', 5],
        ['cancelled', 7],
      ]),
    );
    expect(figures).toMatchObject({ p50: near(100), p95: near(10_000) });
    expect(figures.hours).toEqual([
      { at: FROM, completed: 96, failed: 4, p95: near(10_000) },
      { at: FROM + HOUR_MS, completed: 0, failed: 0, p95: null },
      { at: FROM + 2 * HOUR_MS, completed: 0, failed: 5, p95: near(60_000) },
      { at: FROM + 3 * HOUR_MS, completed: 0, failed: 0, p95: null },
    ]);
  });

  it('`endedFigures` omits executions that ended before the requested time window', () => {
    const { byStatus, hours } = endedFigures(hourFiguresOf(counts), FROM + HOUR_MS, 2);
    expect([byStatus.get('completed'), byStatus.get('timed_out'), hours.length]).toEqual([undefined, 5, 2]);
  });
});
