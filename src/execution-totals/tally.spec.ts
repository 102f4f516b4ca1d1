import { describe, expect, it } from 'vitest';
import {
  durationAt,
  durationBucket,
  type EndedExecution,
  hourlyCountsOf,
  NEVER_STARTED,
  totalsOf,
} from './tally.js';

const ended = (more: Partial<EndedExecution> = {}): EndedExecution => ({
  id: 'e',
  projectId: 'p',
  workflowId: 'w',
  triggerType: 'api',
  status: 'completed',
  createdAt: '2026-11-21T10:59:58.000Z',
  startedAt: '2026-11-21T10:59:59.000Z',
  finishedAt: '2026-11-21T11:00:00.500Z',
  events: 5,
  journalBytes: 100,
  payloadBytes: 7,
  ...more,
});

describe('totalsOf', () => {
  it('`totalsOf` adds up executions with equal attributes, and counts executions with different attributes separately', () => {
    const rows = [ended(), ended({ events: 6 }), ended({ status: 'failed' }), ended({ workflowId: 'v' })];
    const sums = (executions: number, events: number) =>
      expect.objectContaining({
        executions,
        events,
        journalBytes: executions * 100,
        payloadBytes: executions * 7,
      });
    expect(totalsOf(rows, 1)).toEqual([sums(2, 11), sums(1, 5), sums(1, 5)]);
  });

  it('`totalsOf(rows, -1)` returns the negated totals of `totalsOf(rows, 1)`', () => {
    const rows = [ended(), ended({ triggerType: 'retry' }), ended({ projectId: 'q' })];
    const added = totalsOf(rows, 1);
    const taken = totalsOf(rows.toReversed(), -1).toReversed();
    expect(
      added.map(({ executions, events }, n) => [executions + (taken[n]?.executions ?? 0), events]),
    ).toEqual(added.map(({ events }) => [0, events]));
    expect(taken.map(({ events }) => events)).toEqual(added.map(({ events }) => -events));
  });
});

describe('hourlyCountsOf', () => {
  it('`hourlyCountsOf` counts executions by the hour of their end and by duration', () => {
    const late = ended({ finishedAt: '2026-11-21T11:59:59.999Z' });
    const never = ended({ startedAt: null, status: 'cancelled' });
    expect(hourlyCountsOf([ended(), ended(), late, never])).toEqual([
      expect.objectContaining({
        hour: '2026-11-21T11:00:00.000Z',
        durationBucket: durationBucket(1_500),
        executions: 2,
      }),
      expect.objectContaining({ durationBucket: durationBucket(3_600_999), executions: 1 }),
      expect.objectContaining({ status: 'cancelled', durationBucket: NEVER_STARTED, executions: 1 }),
    ]);
  });
});

describe('durationAt', () => {
  it.each([0, 1, 2, 9, 150, 4_321, 3_600_000])(
    '`durationAt` returns a duration of %s ms with an error of at most 10 %',
    (ms) => {
      const at = durationAt([{ durationBucket: durationBucket(ms), executions: 3 }], 0.95) ?? NaN;
      expect(Math.abs(at - ms)).toBeLessThanOrEqual(Math.max(1, ms / 10));
    },
  );

  it('`durationAt` finds a quantile in counts that are not sorted', () => {
    const counts = [
      { durationBucket: durationBucket(10_000), executions: 5 },
      { durationBucket: NEVER_STARTED, executions: 1_000 },
      { durationBucket: durationBucket(100), executions: 95 },
    ];
    const near = (ms: number) => expect.closeTo(ms, -Math.log10(ms / 5));
    expect(durationAt(counts, 0.5)).toEqual(near(100));
    expect(durationAt(counts, 0.95)).toEqual(near(100));
    expect(durationAt(counts, 0.96)).toEqual(near(10_000));
  });

  it('`durationAt` returns null when no execution has a duration', () => {
    expect(durationAt([], 0.5)).toBeNull();
    expect(durationAt([{ durationBucket: NEVER_STARTED, executions: 4 }], 0.5)).toBeNull();
  });
});
