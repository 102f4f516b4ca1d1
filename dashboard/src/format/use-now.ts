import { useSyncExternalStore } from 'react';

/** Interval at which `useNow` updates its time by default, in milliseconds. */
export const TICK_MS = 10_000;
const LIVE_MS = 100;
/**
 * Maximum delay of a tick of a live clock, in milliseconds. If the page renders for another reason during the
 * delay, this render also updates the clock, so the clock causes no render of its own.
 */
const MAX_TICK_DELAY_MS = 50;

class Ticker {
  private now = Date.now();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly listeners = new Set<() => void>();
  private readonly everyMs: number;
  private readonly patienceMs: number;

  constructor(everyMs: number, patienceMs = 0) {
    this.everyMs = everyMs;
    this.patienceMs = patienceMs;
  }

  readonly read = (): number => this.now;

  readonly subscribe = (listener: () => void): (() => void) => {
    // A clock without listeners stops. When the first listener subscribes, the stopped clock therefore reads the
    // current time.
    if (this.timer === undefined) this.now = Date.now();
    this.listeners.add(listener);
    this.timer ??= setTimeout(this.tick, this.everyMs);
    return () => {
      this.listeners.delete(listener);
      if (this.listeners.size > 0) return;
      clearTimeout(this.timer);
      this.timer = undefined;
    };
  };

  /** Updates the clock immediately if its interval has passed since the last tick. */
  tickIfDue(): void {
    if (this.timer !== undefined && Date.now() - this.now >= this.everyMs) this.tick();
  }

  private readonly tick = (): void => {
    clearTimeout(this.timer);
    this.timer = setTimeout(this.tick, this.everyMs + this.patienceMs);
    this.now = Date.now();
    for (const each of this.listeners) each();
  };
}

const SLOW = new Ticker(TICK_MS);
const LIVE = new Ticker(LIVE_MS, MAX_TICK_DELAY_MS);

export function useNow(pace: 'slow' | 'live' = 'slow'): number {
  const ticker = pace === 'live' ? LIVE : SLOW;
  return useSyncExternalStore(ticker.subscribe, ticker.read);
}

/**
 * Updates the live clocks, which tick every 100 ms, if a tick is due. Call this function when the page
 * renders for another reason, so that the clocks need no render of their own.
 */
export function drawClocks(): void {
  LIVE.tickIfDue();
}
