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
  it('fires an alarm once, at its instant', () => {
    alarm('a', NOW + HOUR_MS);
    vi.advanceTimersByTime(HOUR_MS - 1);
    expect(woken).toEqual([]);
    vi.advanceTimersByTime(2 * HOUR_MS);
    expect(woken).toEqual(['a']);
    expect(nextAlarmAt(clock)).toBeNull();
  });

  it('fires alarms in order, immediately, when the clock is set past their instants', () => {
    alarm('late', NOW + 3 * HOUR_MS);
    alarm('second', NOW + 2 * HOUR_MS);
    alarm('first', NOW + HOUR_MS);
    expect(nextAlarmAt(clock)).toBe(NOW + HOUR_MS);
    clock.advance(2 * HOUR_MS);
    wakeDue(clock);
    expect(woken).toEqual(['first', 'second']);
    expect(nextAlarmAt(clock)).toBe(NOW + 3 * HOUR_MS);
  });

  it('fires an alarm after its maximum delay, even if the clock has not reached the instant', () => {
    alarm('poll', Infinity, 5_000);
    alarm('capped', NOW + HOUR_MS, 6_000);
    expect(nextAlarmAt(clock)).toBe(NOW + HOUR_MS);
    vi.advanceTimersByTime(6_000);
    expect(woken).toEqual(['poll', 'capped']);
  });

  it('does not fire a cancelled alarm', () => {
    alarm('a', NOW + HOUR_MS)();
    clock.advance(2 * HOUR_MS);
    wakeDue(clock);
    vi.advanceTimersByTime(2 * HOUR_MS);
    expect(woken).toEqual([]);
  });

  it('does not fire an alarm when another clock is set', () => {
    alarm('a', NOW + HOUR_MS);
    wakeDue(new ManualClock(NOW + 2 * HOUR_MS));
    expect(woken).toEqual([]);
    expect(nextAlarmAt(new ManualClock())).toBeNull();
  });

  it('fires an alarm whose delay is longer than a timer of Node.js allows', () => {
    alarm('far', NOW + 400 * 24 * HOUR_MS);
    vi.advanceTimersByTime(1_000);
    expect(woken).toEqual([]);
  });
});
