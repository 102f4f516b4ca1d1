import type { Clock } from '../../platform/index.js';
import { HOUR_MS } from '../../execution-totals/index.js';
import {
  type EndedFigures,
  endedFigures,
  type HourFigures,
  hourFiguresOf,
  NOTHING_ENDED,
} from './ended-figures.js';
import { TtlCache } from './ttl-cache.js';
import type { StatsFilter, StatsRepository } from './stats.repository.js';

/** What ended in a window. */
export interface EndedWindow {
  readonly ended: EndedFigures;
  /** So much ended just now that only the newest of it is counted. */
  readonly sampled: boolean;
}

/** Somebody may look at a window all the time. */
const WINDOW_KEPT_MS = 5_000;
const MAX_WINDOWS = 1_000;
/** Hours that are over are read again after this time, should one have changed all the same. */
const OVER_KEPT_MS = 600_000;
const MAX_OVER = 100;
/** What ends in an hour is written within this time after it. */
const LATE_MS = 300_000;

/** Figures of what ended. Of hours that are over they stay what they were: mostly no more than the last two are read. */
export class EndedWindows {
  private readonly windows: TtlCache<EndedWindow>;
  /** Hours that are over, by their beginning. */
  private readonly over: TtlCache<Map<number, HourFigures>>;

  constructor(
    private readonly repository: Pick<StatsRepository, 'ended'>,
    private readonly clock: Clock,
  ) {
    this.windows = new TtlCache(clock, WINDOW_KEPT_MS, MAX_WINDOWS);
    this.over = new TtlCache(clock, OVER_KEPT_MS, MAX_OVER);
  }

  /** @param from epoch milliseconds, the beginning of an hour */
  async of(filter: StatsFilter, from: number, hours: number): Promise<EndedWindow> {
    const key = JSON.stringify([filter, from, hours]);
    return (await this.windows.get(key, () => this.read(filter, from, hours))).value;
  }

  private async read(filter: StatsFilter, from: number, hours: number): Promise<EndedWindow> {
    const { value: over } = await this.over.get(JSON.stringify(filter), () =>
      Promise.resolve(new Map<number, HourFigures>()),
    );
    const now = this.clock.now();
    let unknown = from;
    while (over.has(unknown)) unknown += HOUR_MS;
    const { counts, sampled } = await this.repository.ended(filter, unknown);
    const read = hourFiguresOf(counts);
    // Of a sample the hours are not whole.
    if (!sampled)
      for (let hour = unknown; hour + HOUR_MS + LATE_MS <= now; hour += HOUR_MS)
        over.set(hour, read.get(hour) ?? NOTHING_ENDED);
    return { ended: endedFigures(new Map([...over, ...read]), from, hours), sampled };
  }
}
