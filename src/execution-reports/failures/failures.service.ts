import { Inject, Injectable } from '@nestjs/common';
import type { Principal } from '../../access/index.js';
import type { ExecutionStatus } from '../../execution-events/index.js';
import { CLOCK, type Clock, defined, isoTime } from '../../platform/index.js';
import { ProjectsService } from '../../projects/index.js';
import { TtlCache } from '../stats/ttl-cache.js';
import { type FailureGroup, failureGroups } from './failure-groups.js';
import { FailuresRepository } from './failures.repository.js';

/** Length in hours of each time window that a caller can choose. */
export const FAILURE_WINDOWS = { '1h': 1, '24h': 24, '7d': 168, '30d': 720 } as const;
export type FailureWindow = keyof typeof FAILURE_WINDOWS;

/** The failed executions of a time window, grouped by cause. */
export interface Failures {
  readonly window: FailureWindow;
  /** Number of failed executions that were grouped. */
  readonly examined: number;
  /**
   * True if older failures were left out, because the time window contains more than `MAX_EXAMINED` failures.
   */
  readonly truncated: boolean;
  readonly groups: readonly FailureGroup[];
  readonly groupsTotal: number;
  readonly measuredAt: number;
}

/** Maximum number of failed executions that one response groups. */
const MAX_EXAMINED = 10_000;

const MAX_GROUPS = 200;

const STATUSES = ['failed', 'timed_out'] as const satisfies readonly ExecutionStatus[];

/** Time in milliseconds for which the groups of a time window are cached. */
const CACHE_TTL_MS = 5_000;
const MAX_CACHED = 200;
const HOUR_MS = 3_600_000;

@Injectable()
export class FailuresService {
  private readonly cache: TtlCache<Omit<Failures, 'measuredAt'>>;

  constructor(
    private readonly repository: FailuresRepository,
    private readonly projects: ProjectsService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.cache = new TtlCache(clock, CACHE_TTL_MS, MAX_CACHED);
  }

  /**
   * Returns the failed and timed out executions of a time window, grouped by cause.
   *
   * @throws ProjectNotFoundError if the project does not exist
   * @throws ProjectOutOfReachError if the caller may not read the project
   */
  async failures(
    principal: Principal,
    wanted: { readonly window: FailureWindow; readonly projectId?: string; readonly workflowId?: string },
  ): Promise<Failures> {
    const { window, projectId, workflowId } = wanted;
    const projectIds = await this.projects.idsWithin(principal, projectId);
    const key = JSON.stringify([window, workflowId, projectIds]);
    const { at, value } = await this.cache.get(key, async () => {
      const rows = await this.repository.newest(
        defined({
          projectIds,
          createdAfter: isoTime(this.clock.now() - FAILURE_WINDOWS[window] * HOUR_MS),
          workflowId,
        }),
        STATUSES,
        MAX_EXAMINED + 1,
      );
      const examined = rows.slice(0, MAX_EXAMINED);
      const groups = failureGroups(examined);
      return {
        window,
        examined: examined.length,
        truncated: rows.length > examined.length,
        groups: groups.slice(0, MAX_GROUPS),
        groupsTotal: groups.length,
      };
    });
    return { ...value, measuredAt: at };
  }
}
