import { describe, expect, it } from 'vitest';
import { decide } from './decision.js';
import { jitterOf, type Schedule, stateAt } from './schedule.js';

const MINUTE = 60_000;
const NOON = Date.parse('2030-01-01T12:00:00Z');

/** Returns a schedule that fires every minute, and next at noon. */
function scheduleWith(changes: Partial<Schedule> = {}): Schedule {
  const id = '0199a8c0-5555-7abc-8def-0123456789ab';
  return {
    ...{ id, projectId: id, workflowId: id, name: 'Report', cron: '* * * * *', everySeconds: null, at: null },
    ...{ timeZone: 'UTC', input: null, metadata: {}, priority: 5, overlap: 'skip', catchUpSeconds: 3_600 },
    ...{ jitterSeconds: 0, startsAt: null, endsAt: null, lastFire: null, firedTotal: 0, skippedTotal: 0 },
    ...{ revision: 1, createdAt: '2029-01-01T00:00:00.000Z', updatedAt: '2029-01-01T00:00:00.000Z' },
    ...stateAt({ id, jitterSeconds: 0 }, NOON),
    ...changes,
  };
}

describe('`decide()` for schedules', () => {
  it('a schedule does nothing before its next scheduled time', () => {
    expect(decide(scheduleWith(), NOON - 1, false)).toEqual({ kind: 'sleep' });
  });

  it('a schedule starts an execution at its scheduled time', () => {
    const start = { kind: 'start', instant: NOON, next: NOON + MINUTE, cancels: false };
    expect(decide(scheduleWith(), NOON, false)).toEqual(start);
  });

  it('a schedule has no next scheduled time after its end', () => {
    const schedule = scheduleWith({ endsAt: '2030-01-01T12:00:59.999Z' });
    expect(decide(schedule, NOON, false)).toMatchObject({ kind: 'start', next: null });
  });

  it.each([
    ['skip', { kind: 'skip', instant: NOON, next: NOON + MINUTE }],
    ['queue', { kind: 'wait' }],
    ['allow', { kind: 'start', instant: NOON, next: NOON + MINUTE, cancels: false }],
    ['cancel_previous', { kind: 'start', instant: NOON, next: NOON + MINUTE, cancels: true }],
  ] as const)(
    'a schedule with overlap `%s` decides %j while the previous execution runs',
    (overlap, expected) => {
      expect(decide(scheduleWith({ overlap }), NOON, true)).toEqual(expected);
    },
  );

  it('a schedule performs a late start only if the start is late by at most `catch_up_seconds`', () => {
    const schedule = scheduleWith({ catchUpSeconds: 90 });
    expect(decide(schedule, NOON + 90_000, false)).toMatchObject({ kind: 'start', instant: NOON });
    expect(decide(schedule, NOON + 90_001, false)).toEqual({
      kind: 'miss',
      instant: NOON,
      count: 1,
      next: NOON + MINUTE,
    });
    expect(decide(schedule, NOON + 10 * MINUTE, false)).toEqual({
      kind: 'miss',
      instant: NOON,
      count: 9,
      next: NOON + 9 * MINUTE,
    });
  });

  it('a scheduled start that waited for the previous execution does not count as missed', () => {
    const waited = { overlap: 'queue', catchUpSeconds: 90, waitedUntil: '2030-01-01T13:00:00.000Z' } as const;
    const now = NOON + 120 * MINUTE;
    expect(decide(scheduleWith(waited), now, false)).toMatchObject({ kind: 'start', instant: NOON });
    const later = { nextAt: '2030-01-01T13:01:00.000Z', dueAt: '2030-01-01T13:01:00.000Z' };
    expect(decide(scheduleWith({ ...waited, ...later }), now, false)).toMatchObject({ kind: 'miss' });
  });

  it('a schedule counts at most 10,000 missed times', () => {
    const schedule = scheduleWith({ cron: null, everySeconds: 1 });
    const now = NOON + 3_600_000 * 24;
    expect(decide(schedule, now, false)).toEqual({
      kind: 'miss',
      instant: NOON,
      count: 10_000,
      next: now - 3_600_000,
    });
  });
});

describe('jitter of schedules', () => {
  it('jitter delays the due time but not the scheduled time', () => {
    const schedule = { id: 'a', jitterSeconds: 30 };
    const { nextAt, dueAt } = stateAt(schedule, NOON);
    expect(nextAt).toBe('2030-01-01T12:00:00.000Z');
    expect(Date.parse(dueAt ?? '') - NOON).toBe(jitterOf(schedule, NOON));
  });

  it('the jitter values of a schedule cover its whole jitter range', () => {
    const schedule = { id: 'a', jitterSeconds: 10 };
    const found = Array.from({ length: 200 }, (_, minute) => jitterOf(schedule, NOON + minute * MINUTE));
    expect(found).toEqual(Array.from({ length: 200 }, (_, m) => jitterOf(schedule, NOON + m * MINUTE)));
    expect(Math.min(...found)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...found)).toBeLessThan(10_000);
    for (let second = 0; second < 10; second += 1)
      expect(found.some((ms) => Math.floor(ms / 1_000) === second)).toBe(true);
  });
});
