import { Inject, Injectable } from '@nestjs/common';
import { atLeast, type Principal } from '../../access/index.js';
import { CLOCK, type Clock, isoTime } from '../../platform/index.js';
import { ProjectsService } from '../../projects/index.js';
import { type Instance, InstanceRepository } from '../../instances/index.js';
import { TtlCache } from '../stats/ttl-cache.js';
import { AdminRequiredError } from './queue.errors.js';
import { type ProjectQueue, QueueRepository } from './queue.repository.js';

/** A process with the number of executions that the process has claimed. */
export interface QueueProcess extends Instance {
  readonly held: number;
}

export interface QueueFigures {
  readonly projects: readonly ProjectQueue[];
  /** Processes in the order of their ids. Ids contain a time, so the process that started first comes first. */
  readonly processes: readonly QueueProcess[];
}

/**
 * Time in milliseconds for which the state of the queue is cached. Dashboards poll the state often, and counting a long
 * queue takes time.
 */
const CACHE_TTL_MS = 2_000;
const MAX_CACHED_TEAMS = 100;

/** Reads the state of the queue. Only admins and owners may read this state. */
@Injectable()
export class QueueService {
  private readonly cache: TtlCache<QueueFigures>;

  constructor(
    @Inject(QueueRepository) private readonly repository: Pick<QueueRepository, 'projects' | 'held'>,
    @Inject(InstanceRepository) private readonly instances: Pick<InstanceRepository, 'list'>,
    @Inject(ProjectsService) private readonly projects: Pick<ProjectsService, 'reachable'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.cache = new TtlCache(clock, CACHE_TTL_MS, MAX_CACHED_TEAMS);
  }

  /**
   * Returns the state of the queue, and the time of its measurement in epoch milliseconds.
   *
   * @throws AdminRequiredError if the caller is not an admin or owner, or if the key is bound to a project
   */
  async read(principal: Principal): Promise<{ readonly measuredAt: number; readonly figures: QueueFigures }> {
    if (!atLeast(principal.role, 'admin') || principal.projectId !== null) throw new AdminRequiredError();
    const { at, value } = await this.cache.get(principal.teamId, () => this.measure(principal));
    return { measuredAt: at, figures: value };
  }

  private async measure(principal: Principal): Promise<QueueFigures> {
    const ids = (await this.projects.reachable(principal)).map(({ id }) => id);
    const [projects, instances, held] = await Promise.all([
      this.repository.projects(ids, isoTime(this.clock.now())),
      this.instances.list(),
      this.repository.held(),
    ]);
    const processes = instances
      .map((instance) => ({ ...instance, held: held.get(instance.id) ?? 0 }))
      .sort((a, b) => (a.id < b.id ? -1 : 1));
    return { projects, processes };
  }
}
