import { wakeDue } from './alarm.js';
import type { Clock } from './clock.js';

/** Differences up to this many milliseconds are attributed to the network, not to the clocks. */
const TOLERANCE_MS = 100;

/**
 * Shows the machine's time until it is set to follow another clock. Afterwards it advances monotonically, so that
 * changes of the system time have no effect.
 */
class FollowingClock implements Clock {
  /** Epoch milliseconds at which the monotonic count began; null until this clock follows another. */
  private origin: number | null = null;
  private offsetMs = 0;

  now(): number {
    return this.real() + this.offsetMs;
  }

  /** The time without the offset of the test clock, in epoch milliseconds. */
  real(): number {
    return this.origin === null ? Date.now() : Math.round(this.origin + performance.now());
  }

  /** Sets the milliseconds by which this clock is ahead of real time, and fires the alarms that become due. */
  setOffset(offsetMs: number): void {
    this.offsetMs = offsetMs;
    wakeDue(this);
  }

  /**
   * Follows another clock.
   * @param epochMs the time that the other clock shows now
   */
  follow(epochMs: number): void {
    const origin = epochMs - performance.now();
    if (this.origin === null || Math.abs(origin - this.origin) > TOLERANCE_MS) this.origin = origin;
  }
}

/** The clock of the process. */
export const systemClock = new FollowingClock();
