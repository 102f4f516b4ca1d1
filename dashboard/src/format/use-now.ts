import { useSyncExternalStore } from 'react';

/** How far behind the time of `useNow` may be. */
export const TICK_MS = 10_000;
const LIVE_MS = 100;
/** So much longer a live clock waits for something else to be drawn, with which it goes on. */
const PATIENCE_MS = 50;

/** One clock for all times of a page, so that they change together. */
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
    // Nobody looked at it meanwhile.
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

  /** Goes on now where it is due. */
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

/**
 * The time in milliseconds, again every ten seconds, or every tenth of one.
 * @param pace `live` for what is counted before the reader's eyes
 */
export function useNow(pace: 'slow' | 'live' = 'slow'): number {
  const ticker = pace === 'live' ? LIVE : SLOW;
  return useSyncExternalStore(ticker.subscribe, ticker.read);
}

/** Lets live clocks go on in a frame that is drawn for something else, which spares one of their own. */
export function drawClocks(): void {
  LIVE.goAlong();
}
