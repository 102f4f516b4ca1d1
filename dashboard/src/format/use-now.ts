import { useSyncExternalStore } from 'react';

/** How far behind the time of `useNow` may be. */
export const TICK_MS = 10_000;

/** One clock for all times of a page, so that they change together. */
class Ticker {
  private now = Date.now();
  private timer: ReturnType<typeof setInterval> | undefined;
  private readonly listeners = new Set<() => void>();
  private readonly everyMs: number;

  constructor(everyMs: number) {
    this.everyMs = everyMs;
  }

  readonly read = (): number => this.now;

  readonly subscribe = (listener: () => void): (() => void) => {
    // Nobody looked at it meanwhile.
    if (this.timer === undefined) this.now = Date.now();
    this.listeners.add(listener);
    this.timer ??= setInterval(() => {
      this.now = Date.now();
      for (const each of this.listeners) each();
    }, this.everyMs);
    return () => {
      this.listeners.delete(listener);
      if (this.listeners.size > 0) return;
      clearInterval(this.timer);
      this.timer = undefined;
    };
  };
}

const SLOW = new Ticker(TICK_MS);
const LIVE = new Ticker(100);

/**
 * The time in milliseconds, again every ten seconds, or every tenth of one.
 * @param pace `live` for what is counted before the reader's eyes
 */
export function useNow(pace: 'slow' | 'live' = 'slow'): number {
  const ticker = pace === 'live' ? LIVE : SLOW;
  return useSyncExternalStore(ticker.subscribe, ticker.read);
}
