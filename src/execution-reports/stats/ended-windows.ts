import type { Clock } from '../../platform/index.js';
import { HOUR_MS } from '../../execution-totals/index.js';
import {
  type EndedFigures,
  endedFigures,
  type HourFigures,
  hourFiguresOf,
  EMPTY_FIGURES,
} from './ended-figures.js';
import { TtlCache } from './ttl-cache.js';
import type { StatsFilter, StatsRepository } from './stats.repository.js';

/** Statistics of the executions that ended in a time window. */
export interface EndedWindow {
  readonly ended: EndedFigures;
  /**
   * True if only the newest of the recently ended executions are counted, because there are too many to count them all.
   */
  readonly sampled: boolean;
}

/**
 * Time in milliseconds for which the statistics of a time window are cached, because dashboards poll them.
 */
const WINDOW_TTL_MS = 5_000;
const MAX_CACHED_WINDOWS = 1_000;
/** Time in milliseconds for which the figures of finished hours are cached. Such figures rarely change. */
const FINISHED_HOURS_TTL_MS = 600_000;
const MAX_CACHED_FILTERS = 100;
/** Maximum delay in milliseconds between the end of an hour and the commit of an execution that ended in the hour. */
const MAX_COMMIT_DELAY_MS = 300_000;

/**
 * Reads figures of ended executions by hour. The figures of finished hours are cached, so most queries read only the
 * last two hours.
 */
export class EndedWindows {
  private readonly windows: TtlCache<EndedWindow>;
  /** Figures of finished hours, by filter and then by the start of the hour in epoch milliseconds. */
  private readonly finishedHours: TtlCache<Map<number, HourFigures>>;

  constructor(
    private readonly repository: Pick<StatsRepository, 'ended'>,
    private readonly clock: Clock,
  ) {
    this.windows = new TtlCache(clock, WINDOW_TTL_MS, MAX_CACHED_WINDOWS);
    this.finishedHours = new TtlCache(clock, FINISHED_HOURS_TTL_MS, MAX_CACHED_FILTERS);
  }

  /**
   * Returns the statistics of consecutive hours.
   *
   * @param from start of the first hour, in epoch milliseconds
   * @param hours number of hours
   */
  async of(filter: StatsFilter, from: number, hours: number): Promise<EndedWindow> {
    const key = JSON.stringify([filter, from, hours]);
    return (await this.windows.get(key, () => this.read(filter, from, hours))).value;
  }

  private async read(filter: StatsFilter, from: number, hours: number): Promise<EndedWindow> {
    const { value: finishedHours } = await this.finishedHours.get(JSON.stringify(filter), () =>
      Promise.resolve(new Map<number, HourFigures>()),
    );
    const now = this.clock.now();
    let firstUncached = from;
    while (finishedHours.has(firstUncached)) firstUncached += HOUR_MS;
    const { counts, sampled } = await this.repository.ended(filter, firstUncached);
    const read = hourFiguresOf(counts);
    // If only the newest executions were counted, the figures of an hour may be incomplete and are not cached.
    if (!sampled)
      for (let hour = firstUncached; hour + HOUR_MS + MAX_COMMIT_DELAY_MS <= now; hour += HOUR_MS)
        finishedHours.set(hour, read.get(hour) ?? EMPTY_FIGURES);
    return { ended: endedFigures(new Map([...finishedHours, ...read]), from, hours), sampled };
  }
}
