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

describe('an alarm', () => {
  it('wakes once, at its instant', () => {
    alarm('a', NOW + HOUR_MS);
    vi.advanceTimersByTime(HOUR_MS - 1);
    expect(woken).toEqual([]);
    vi.advanceTimersByTime(2 * HOUR_MS);
    expect(woken).toEqual(['a']);
    expect(nextAlarmAt(clock)).toBeNull();
  });

  it('wakes at once when the clock is set past its instant, the earliest first', () => {
    alarm('late', NOW + 3 * HOUR_MS);
    alarm('second', NOW + 2 * HOUR_MS);
    alarm('first', NOW + HOUR_MS);
    expect(nextAlarmAt(clock)).toBe(NOW + HOUR_MS);
    clock.advance(2 * HOUR_MS);
    wakeDue(clock);
    expect(woken).toEqual(['first', 'second']);
    expect(nextAlarmAt(clock)).toBe(NOW + 3 * HOUR_MS);
  });

  it('wakes in any case after its longest time', () => {
    alarm('poll', Infinity, 5_000);
    alarm('capped', NOW + HOUR_MS, 6_000);
    expect(nextAlarmAt(clock)).toBe(NOW + HOUR_MS);
    vi.advanceTimersByTime(6_000);
    expect(woken).toEqual(['poll', 'capped']);
  });

  it('does not wake when it was cancelled', () => {
    alarm('a', NOW + HOUR_MS)();
    clock.advance(2 * HOUR_MS);
    wakeDue(clock);
    vi.advanceTimersByTime(2 * HOUR_MS);
    expect(woken).toEqual([]);
  });

  it('does not follow another clock', () => {
    alarm('a', NOW + HOUR_MS);
    wakeDue(new ManualClock(NOW + 2 * HOUR_MS));
    expect(woken).toEqual([]);
    expect(nextAlarmAt(new ManualClock())).toBeNull();
  });

  it('waits longer than a timer of the runtime can', () => {
    alarm('far', NOW + 400 * 24 * HOUR_MS);
    vi.advanceTimersByTime(1_000);
    expect(woken).toEqual([]);
  });
});
