import { wakeDue } from './alarm.js';
import type { Clock } from './clock.js';

/** Differences up to this many milliseconds are attributed to the network, not to the clocks. */
const TOLERANCE_MS = 100;

/**
 * The machine's clock, until it follows another one. Afterwards it advances monotonically, so changes of the system
 * time have no effect.
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

  /** Sets by how many milliseconds this clock is ahead, and fires the alarms that become due. */
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
