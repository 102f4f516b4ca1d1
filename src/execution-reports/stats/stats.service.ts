import { Inject, Injectable } from '@nestjs/common';
import type { Principal } from '../../access/index.js';
import { CLOCK, type Clock, defined } from '../../platform/index.js';
import { ProjectsService } from '../../projects/index.js';
import { HOUR_MS } from '../../execution-totals/index.js';
import { endedFigures } from './ended-figures.js';
import { type EndedWindow, EndedWindows } from './ended-windows.js';
import { TtlCache } from './ttl-cache.js';
import { type LatestRun, StatsRepository, type Usage } from './stats.repository.js';

/** Length in hours of each time window that a caller can choose. */
export const WINDOW_HOURS = { '24h': 24, '7d': 168 } as const;
export type Window = keyof typeof WINDOW_HOURS;

/** Statistics of executions in a time window. Times are in epoch milliseconds. */
export interface Stats extends EndedWindow {
  readonly window: Window;
  /** Start of the first hour of the window. */
  readonly from: number;
  readonly to: number;
  readonly active: Awaited<ReturnType<StatsRepository['active']>>;
}

/** Time in milliseconds for which the measured storage of a project is cached. */
const USAGE_KEPT_MS = 60_000;
const MAX_REMEMBERED = 1_000;

/** Maximum number of latest executions that are returned for each workflow. */
const RUNS = 20;

@Injectable()
export class StatsService {
  private readonly usages: TtlCache<Usage>;
  private readonly windows: EndedWindows;

  constructor(
    @Inject(StatsRepository)
    private readonly repository: Pick<StatsRepository, 'ended' | 'active' | 'latestRuns' | 'usage'>,
    @Inject(ProjectsService)
    private readonly projects: Pick<ProjectsService, 'idsWithin' | 'reachable' | 'reach'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.usages = new TtlCache(clock, USAGE_KEPT_MS, MAX_REMEMBERED);
    this.windows = new EndedWindows(repository, clock);
  }

  /**
   * Returns the statistics of the executions in a window.
   *
   * @throws ProjectNotFoundError if the project does not exist
   * @throws ProjectOutOfReachError if the caller may not read the project
   */
  async stats(
    principal: Principal,
    wanted: { readonly window: Window; readonly projectId?: string; readonly workflowId?: string },
  ): Promise<Stats> {
    const { window, projectId, workflowId } = wanted;
    const projectIds = await this.projects.idsWithin(principal, projectId);
    const to = this.clock.now();
    const from = (Math.floor(to / HOUR_MS) + 1 - WINDOW_HOURS[window]) * HOUR_MS;
    const filter = defined({ projectIds, workflowId });
    const hours = WINDOW_HOURS[window];
    if (projectIds.length === 0)
      return {
        window,
        from,
        to,
        ended: endedFigures(new Map(), from, hours),
        sampled: false,
        active: new Map(),
      };
    const [ended, active] = await Promise.all([
      this.windows.of(filter, from, hours),
      this.repository.active(filter),
    ]);
    return { ...ended, window, from, to, active };
  }

  /**
   * Returns the latest executions of each workflow. Workflows that do not exist or that the caller may not read are
   * left out.
   */
  async latestRuns(
    principal: Principal,
    workflowIds: readonly string[],
  ): Promise<ReadonlyMap<string, readonly LatestRun[]>> {
    const reach = new Set((await this.projects.reachable(principal)).map(({ id }) => id));
    const ids = [...new Set(workflowIds.map((id) => id.toLowerCase()))];
    const runs = await this.repository.latestRuns(ids, RUNS);
    return Map.groupBy(
      runs.filter(({ projectId }) => reach.has(projectId)),
      ({ workflowId }) => workflowId,
    );
  }

  /**
   * Returns the storage that the executions of a project use. The storage is measured at most once a minute.
   *
   * @throws ProjectNotFoundError if the project does not exist
   * @throws ProjectOutOfReachError if the caller may not read the project
   */
  async usage(
    principal: Principal,
    projectId: string,
  ): Promise<{ readonly measuredAt: number; readonly usage: Usage }> {
    const { id } = await this.projects.reach(principal, projectId);
    const { at, value } = await this.usages.get(id, () => this.repository.usage(id));
    return { measuredAt: at, usage: value };
  }
}
