import { afterAll, expect } from 'vitest';
import { systemClock } from '../../src/platform/index.js';

// Test files share a process and its clock. An earlier file may have made the clock follow a database whose time was
// read inaccurately. A correction during a test would then move the clock backwards.
systemClock.follow(Date.now());

afterAll(() => {
  const offsetMs = systemClock.now() - systemClock.real();
  expect(Math.abs(offsetMs), 'Offset of the clock, which the next test file would inherit').toBeLessThan(100);
});
