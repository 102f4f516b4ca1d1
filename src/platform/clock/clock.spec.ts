import { afterEach, expect, it, vi } from 'vitest';
import { newId } from '../ids/id.js';
import { systemClock } from './system-clock.js';

const HOUR_MS = 3_600_000;

afterEach(() => vi.restoreAllMocks());

it("follows the other clock, regardless of changes to the machine's clock", () => {
  const machine = Date.now();
  systemClock.follow(machine + HOUR_MS);
  const begun = systemClock.now();
  expect(begun - machine).toBeGreaterThanOrEqual(HOUR_MS - 1);
  const before = newId();
  vi.spyOn(Date, 'now').mockReturnValue(machine - 24 * HOUR_MS);
  expect(systemClock.now()).toBeGreaterThanOrEqual(begun);
  expect(newId() > before).toBe(true);
  // A difference of the round trip, not of the clocks.
  systemClock.follow(systemClock.now() - 50);
  expect(systemClock.now()).toBeGreaterThanOrEqual(begun);
  // The other clock was set, so this one follows.
  systemClock.follow(machine);
  expect(systemClock.now()).toBeLessThan(begun);
});
