import type { Clock } from '../../src/platform/index.js';

/** A clock that moves only when it is told to. */
export class ManualClock implements Clock {
  /** @param time epoch milliseconds at which it begins */
  constructor(private time = Date.now()) {}

  now(): number {
    return this.time;
  }

  advance(ms: number): void {
    this.time += ms;
  }
}
