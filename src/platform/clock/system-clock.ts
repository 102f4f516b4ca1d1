import { wakeDue } from './alarm.js';
import type { Clock } from './clock.js';

/** Differences between two clocks up to this number of milliseconds count as network delay. */
const TOLERANCE_MS = 100;

/**
 * The machine's clock until it follows another clock. Then the clock is monotonic, so that changes of the system time
 * have no effect.
 */
class FollowingClock implements Clock {
  /** Epoch milliseconds at the start of the monotonic count. Null before this clock follows another. */
  private origin: number | null = null;
  private offsetMs = 0;

  now(): number {
    return this.real() + this.offsetMs;
  }

  /** The time without the offset of the test clock, in epoch milliseconds. */
  real(): number {
    return this.origin === null ? Date.now() : Math.round(this.origin + performance.now());
  }

  /** Sets the milliseconds by which this clock is ahead, and fires due alarms. */
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
