import { afterAll, expect } from 'vitest';
import { systemClock } from '../../src/platform/index.js';

// Test files share the clock of their process. If an earlier file used PostgreSQL, the clock still follows the time that
// was read from that database, and a busy machine makes this time inaccurate. Without this call, the next read of the
// time could move the clock backwards during a test.
systemClock.follow(Date.now());

afterAll(() => {
  const message = 'The clock must show the real time, because the next test file uses it, too';
  const before = systemClock.real();
  const now = systemClock.now();
  expect(now, message).toBeGreaterThanOrEqual(before);
  expect(now, message).toBeLessThanOrEqual(systemClock.real());
});
