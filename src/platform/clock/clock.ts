/** The time, as a port: tests bring their own. */
export interface Clock {
  /** Epoch milliseconds, whole. */
  now(): number;
}

/** Injection token of the `Clock`. */
export const CLOCK = Symbol('CLOCK');

/** Differences up to this are those of the way, not of the clocks. */
const TOLERANCE_MS = 100;

/**
 * This machine's clock, until there is another one to follow. From then on it goes on by what runs in this process
 * alone, so that nobody who sets the machine's clock sets this one.
 */
class FollowingClock implements Clock {
  /** Epoch milliseconds at which the process's own count began; null while it follows nobody. */
  private origin: number | null = null;

  now(): number {
    return this.origin === null ? Date.now() : Math.round(this.origin + performance.now());
  }

  /** @param epochMs what the other clock shows now */
  follow(epochMs: number): void {
    const origin = epochMs - performance.now();
    if (this.origin === null || Math.abs(origin - this.origin) > TOLERANCE_MS) this.origin = origin;
  }
}

/** The clock of the process. */
export const systemClock = new FollowingClock();

/** Many things happen in one millisecond, and each says when; its text is made once. */
let last = { epochMs: 0, text: new Date(0).toISOString() };

/** An instant as it stands on the wire and in the database: ISO 8601, UTC, milliseconds, `Z`. */
export function isoTime(epochMs: number): string {
  if (epochMs !== last.epochMs) last = { epochMs, text: new Date(epochMs).toISOString() };
  return last.text;
}

/** The time of a change: now, yet later than the change before it, so that no two look alike. */
export function changeTime(previous: string, now: number): string {
  return isoTime(Math.max(now, Date.parse(previous) + 1));
}
