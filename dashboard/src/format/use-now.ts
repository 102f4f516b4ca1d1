import { useSyncExternalStore } from 'react';

/** Maximum lag of `useNow` in milliseconds. */
export const TICK_MS = 10_000;
const LIVE_MS = 100;
/** A due tick of a live clock waits this many milliseconds, so that other updates can render in the same frame. */
const PATIENCE_MS = 50;

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
    // The clock stops while it has no listeners, so its time is stale.
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

  /** Ticks now if a tick is due. */
  goAlong(): void {
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
const LIVE = new Ticker(LIVE_MS, PATIENCE_MS);

export function useNow(pace: 'slow' | 'live' = 'slow'): number {
  const ticker = pace === 'live' ? LIVE : SLOW;
  return useSyncExternalStore(ticker.subscribe, ticker.read);
}

/** Updates live clocks in a frame that is rendered anyway. */
export function drawClocks(): void {
  LIVE.goAlong();
}
