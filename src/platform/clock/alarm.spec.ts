import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.js';
import { nextAlarmAt, setAlarm, wakeDue } from './alarm.js';

const NOW = 1_000_000;
const HOUR_MS = 3_600_000;

let clock: ManualClock;
let woken: string[];

beforeEach(() => {
  vi.useFakeTimers();
  clock = new ManualClock(NOW);
  woken = [];
});
afterEach(() => vi.useRealTimers());

function alarm(name: string, at: number, atMostMs?: number): () => void {
  return setAlarm(clock, { at, ...(atMostMs === undefined ? {} : { atMostMs }) }, () => woken.push(name));
}

describe('setAlarm', () => {
  it('an alarm fires once, at its time', () => {
    alarm('a', NOW + HOUR_MS);
    vi.advanceTimersByTime(HOUR_MS - 1);
    expect(woken).toEqual([]);
    vi.advanceTimersByTime(2 * HOUR_MS);
    expect(woken).toEqual(['a']);
    expect(nextAlarmAt(clock)).toBeNull();
  });

  it('alarms fire in order when the clock is set past their times', () => {
    alarm('late', NOW + 3 * HOUR_MS);
    alarm('second', NOW + 2 * HOUR_MS);
    alarm('first', NOW + HOUR_MS);
    expect(nextAlarmAt(clock)).toBe(NOW + HOUR_MS);
    clock.advance(2 * HOUR_MS);
    wakeDue(clock);
    expect(woken).toEqual(['first', 'second']);
    expect(nextAlarmAt(clock)).toBe(NOW + 3 * HOUR_MS);
  });

  it('an alarm fires after `atMostMs`, even before the clock has reached the time of the alarm', () => {
    alarm('poll', Infinity, 5_000);
    alarm('capped', NOW + HOUR_MS, 6_000);
    expect(nextAlarmAt(clock)).toBe(NOW + HOUR_MS);
    vi.advanceTimersByTime(6_000);
    expect(woken).toEqual(['poll', 'capped']);
  });

  it('a cancelled alarm does not fire', () => {
    alarm('a', NOW + HOUR_MS)();
    clock.advance(2 * HOUR_MS);
    wakeDue(clock);
    vi.advanceTimersByTime(2 * HOUR_MS);
    expect(woken).toEqual([]);
  });

  it('setting a clock does not fire the alarms of another clock', () => {
    alarm('a', NOW + HOUR_MS);
    wakeDue(new ManualClock(NOW + 2 * HOUR_MS));
    expect(woken).toEqual([]);
    expect(nextAlarmAt(new ManualClock())).toBeNull();
  });

  it('an alarm with a very long delay does not fire early', () => {
    alarm('far', NOW + 400 * 24 * HOUR_MS);
    vi.advanceTimersByTime(1_000);
    expect(woken).toEqual([]);
  });
});
