import { wakeDue } from './alarm.js';
import type { Clock } from './clock.js';

/**
 * Maximum difference between this clock and the clock that it follows, in milliseconds, that can be network delay.
 * Smaller differences are ignored.
 */
const TOLERANCE_MS = 100;

/**
 * A clock that shows the time of the machine until `follow` is called with the time of another clock. After that, the
 * clock counts monotonically, so that changes of the machine's time have no effect.
 */
class FollowingClock implements Clock {
  /** Epoch milliseconds at the start of the monotonic count; null before the first call of `follow`. */
  private origin: number | null = null;
  private offsetMs = 0;

  now(): number {
    return this.real() + this.offsetMs;
  }

  /** Returns the time in epoch milliseconds, without the offset of the test clock. */
  real(): number {
    return this.origin === null ? Date.now() : Math.round(this.origin + performance.now());
  }

  /**
   * Sets the offset in milliseconds by which this clock is ahead of the real time, and fires the alarms that become
   * due.
   */
  setOffset(offsetMs: number): void {
    this.offsetMs = offsetMs;
    wakeDue(this);
  }

  /** @param epochMs current time of the other clock */
  follow(epochMs: number): void {
    const origin = epochMs - performance.now();
    if (this.origin === null || Math.abs(origin - this.origin) > TOLERANCE_MS) this.origin = origin;
  }
}

export const systemClock = new FollowingClock();
