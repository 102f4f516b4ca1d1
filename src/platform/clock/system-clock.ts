import { wakeDue } from './alarm.js';
import type { Clock } from './clock.js';

/** Differences up to this are those of the way, not of the clocks. */
const TOLERANCE_MS = 100;

/**
 * This machine's clock until it follows another one. Then it advances monotonically, so changing the system time has no
 * effect.
 */
class FollowingClock implements Clock {
  /** Epoch milliseconds at which the monotonic count began; null until it follows a clock. */
  private origin: number | null = null;
  private offsetMs = 0;

  now(): number {
    return this.real() + this.offsetMs;
  }

  /** The time without the offset of the test clock, in epoch milliseconds. */
  real(): number {
    return this.origin === null ? Date.now() : Math.round(this.origin + performance.now());
  }

  /** Sets how far this clock is ahead, and wakes the alarms that are due by then. */
  setOffset(offsetMs: number): void {
    this.offsetMs = offsetMs;
    wakeDue(this);
  }

  /** @param epochMs what the other clock shows now */
  follow(epochMs: number): void {
    const origin = epochMs - performance.now();
    if (this.origin === null || Math.abs(origin - this.origin) > TOLERANCE_MS) this.origin = origin;
  }
}

/** The clock of the process. */
export const systemClock = new FollowingClock();
