import type { Clock } from '../../src/platform/index.js';

/** A clock that stands still until the test advances it. */
export class ManualClock implements Clock {
  /** @param time start time in epoch milliseconds */
  constructor(private time = Date.now()) {}

  now(): number {
    return this.time;
  }

  advance(ms: number): void {
    this.time += ms;
  }
}
