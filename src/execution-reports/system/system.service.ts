import { Inject, Injectable } from '@nestjs/common';
import { atLeast, type Principal } from '../../access/index.js';
import { InstanceRegistry, InstanceRepository } from '../../instances/index.js';
import { CLOCK, type Clock, isoTime } from '../../platform/index.js';
import { SETTINGS, type Settings } from '../../settings/index.js';
import { AdminRequiredError } from '../queue/queue.errors.js';
import { type QueueTotals, QueueRepository } from '../queue/queue.repository.js';
import type { QueueProcess } from '../queue/queue.service.js';
import { TtlCache } from '../stats/ttl-cache.js';
import { type CommitFigures, CommitLatency } from './commit-latency.js';
import { type DatabaseSize, SystemRepository } from './system.repository.js';

/** How the service is, over all teams. */
export interface SystemFigures {
  /** Epoch milliseconds. */
  readonly measuredAt: number;
  /** Oldest first. */
  readonly processes: readonly QueueProcess[];
  /** Executions that one process runs at once, by the setting of the process that answers. */
  readonly capacity: number;
  readonly queue: QueueTotals;
  /** The process that answers, whose commits these are. */
  readonly processId: string;
  readonly commits: CommitFigures;
  readonly database: DatabaseSize;
}

/** Figures are given again for this time, in milliseconds. */
const KEPT_MS = 2_000;
/** The same of the size of the database, which costs more. */
const SIZE_KEPT_MS = 60_000;

/** How the service is, for those who run it. */
@Injectable()
export class SystemService {
  private readonly figures: TtlCache<SystemFigures>;
  private readonly sizes: TtlCache<DatabaseSize>;

  constructor(
    private readonly repository: SystemRepository,
    private readonly queue: QueueRepository,
    private readonly instances: InstanceRepository,
    private readonly self: InstanceRegistry,
    private readonly commits: CommitLatency,
    @Inject(SETTINGS) private readonly settings: Settings,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.figures = new TtlCache(clock, KEPT_MS, 1);
    this.sizes = new TtlCache(clock, SIZE_KEPT_MS, 1);
  }

  /** @throws AdminRequiredError */
  async read(principal: Principal): Promise<SystemFigures> {
    if (!atLeast(principal.role, 'admin') || principal.projectId !== null) throw new AdminRequiredError();
    return (await this.figures.get('', () => this.measure())).value;
  }

  private async measure(): Promise<SystemFigures> {
    const measuredAt = this.clock.now();
    const [queue, instances, held, database] = await Promise.all([
      this.queue.totals(isoTime(measuredAt)),
      this.instances.list(),
      this.queue.held(),
      this.sizes.get('', () => this.repository.size()),
    ]);
    const processes = instances
      .map((instance) => ({ ...instance, held: held.get(instance.id) ?? 0 }))
      .toSorted((a, b) => (a.id < b.id ? -1 : 1));
    return {
      measuredAt,
      processes,
      capacity: this.settings.RUN_CONCURRENCY,
      queue,
      processId: this.self.id,
      commits: this.commits.read(),
      database: database.value,
    };
  }
}
