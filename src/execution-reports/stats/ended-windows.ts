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

/** Figures of the executions that ended in a window. */
export interface EndedWindow {
  readonly ended: EndedFigures;
  /** Whether so many executions ended recently that only the newest of them are counted. */
  readonly sampled: boolean;
}

/** Time in milliseconds for which a window is cached, because dashboards poll it. */
const WINDOW_KEPT_MS = 5_000;
const MAX_WINDOWS = 1_000;
/** Time in milliseconds for which figures of finished hours are cached. These figures rarely change. */
const OVER_KEPT_MS = 600_000;
const MAX_OVER = 100;
/** Maximum time in milliseconds between the end of an hour and the commit of an execution that ended in this hour. */
const LATE_MS = 300_000;

/** Figures of ended executions by hour. Finished hours are cached, so most queries read only the last two hours. */
export class EndedWindows {
  private readonly windows: TtlCache<EndedWindow>;
  /** Figures of finished hours by filter, and then by the start of the hour in epoch milliseconds. */
  private readonly over: TtlCache<Map<number, HourFigures>>;

  constructor(
    private readonly repository: Pick<StatsRepository, 'ended'>,
    private readonly clock: Clock,
  ) {
    this.windows = new TtlCache(clock, WINDOW_KEPT_MS, MAX_WINDOWS);
    this.over = new TtlCache(clock, OVER_KEPT_MS, MAX_OVER);
  }

  /** @param from start of the first hour, in epoch milliseconds */
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
    // A sample does not contain all executions of an hour, so the figures are not cached.
    if (!sampled)
      for (let hour = unknown; hour + HOUR_MS + LATE_MS <= now; hour += HOUR_MS)
        over.set(hour, read.get(hour) ?? NOTHING_ENDED);
    return { ended: endedFigures(new Map([...over, ...read]), from, hours), sampled };
  }
}
