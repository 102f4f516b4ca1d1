import { afterEach, expect, it, vi } from 'vitest';
import { newId } from '../ids/id.js';
import { systemClock } from './system-clock.js';

const HOUR_MS = 3_600_000;

afterEach(() => vi.restoreAllMocks());

it('after `follow(time)`, the clock continues from this time even if the clock of the machine is set back', () => {
  const machine = Date.now();
  systemClock.follow(machine + HOUR_MS);
  const begun = systemClock.now();
  expect(begun - machine).toBeGreaterThanOrEqual(HOUR_MS - 1);
  const before = newId();
  vi.spyOn(Date, 'now').mockReturnValue(machine - 24 * HOUR_MS);
  expect(systemClock.now()).toBeGreaterThanOrEqual(begun);
  expect(newId() > before).toBe(true);
  // The time passed to `follow` is only 50 ms behind. Such a small difference can be network delay, so the clock does
  // not go back.
  systemClock.follow(systemClock.now() - 50);
  expect(systemClock.now()).toBeGreaterThanOrEqual(begun);
  // This time is one hour behind. That cannot be network delay, so the clock goes back to it.
  systemClock.follow(machine);
  expect(systemClock.now()).toBeLessThan(begun);
});
