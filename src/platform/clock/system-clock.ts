import { wakeDue } from './alarm.js';
import type { Clock } from './clock.js';

/** Differences up to this are those of the way, not of the clocks. */
const TOLERANCE_MS = 100;

/**
 * This machine's clock, until there is another one to follow. From then on it goes on by what runs in this process
 * alone, so that nobody who sets the machine's clock sets this one.
 */
class FollowingClock implements Clock {
  /** Epoch milliseconds at which the process's own count began; null while it follows nobody. */
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
