import { afterEach, expect, it, vi } from 'vitest';
import { newId } from '../ids/id.js';
import { systemClock } from './system-clock.js';

const HOUR_MS = 3_600_000;

afterEach(() => vi.restoreAllMocks());

it('goes on as the clock that it follows does, whatever is done to that of the machine', () => {
  const machine = Date.now();
  systemClock.follow(machine + HOUR_MS);
  const begun = systemClock.now();
  expect(begun - machine).toBeGreaterThanOrEqual(HOUR_MS - 1);
  const before = newId();
  vi.spyOn(Date, 'now').mockReturnValue(machine - 24 * HOUR_MS);
  expect(systemClock.now()).toBeGreaterThanOrEqual(begun);
  expect(newId() > before).toBe(true);
  // Of the way, not of the clocks.
  systemClock.follow(systemClock.now() - 50);
  expect(systemClock.now()).toBeGreaterThanOrEqual(begun);
  // It was set: so is this one.
  systemClock.follow(machine);
  expect(systemClock.now()).toBeLessThan(begun);
});
