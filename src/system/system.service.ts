import { Inject, Injectable } from '@nestjs/common';
import { atLeast, type Principal } from '../access/index.js';
import {
  AdminRequiredError,
  type QueueProcess,
  QueueRepository,
  type QueueTotals,
  TtlCache,
} from '../execution-reports/index.js';
import { InstanceRegistry, InstanceRepository } from '../instances/index.js';
import { type FeedDelay, JournalRepository } from '../journal/index.js';
import { CLOCK, type Clock, isoTime } from '../platform/index.js';
import { SETTINGS, type Settings } from '../settings/index.js';
import { type CommitFigures, CommitLatency } from './commit-latency.js';
import { type DatabaseSize, SystemRepository } from './system.repository.js';
import { WebhookBacklogs, type WebhookFigures } from './webhook-backlogs.js';

export interface SystemFigures {
  /** Time at which the figures were measured, in epoch milliseconds. */
  readonly measuredAt: number;
  /** All processes that use the database, in the order of their start. */
  readonly processes: readonly QueueProcess[];
  /**
   * Maximum number of executions that one process runs at the same time: `RUN_CONCURRENCY` of the process that
   * responds.
   */
  readonly capacity: number;
  readonly queue: QueueTotals;
  /** Id of the process that responds. The commit statistics cover only this process. */
  readonly processId: string;
  readonly commits: CommitFigures;
  readonly feed: FeedDelay;
  readonly database: DatabaseSize;
}

const KEPT_MS = 2_000;
/** Milliseconds for which the database size is cached, because measuring the size takes long. */
const SIZE_KEPT_MS = 60_000;

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
    private readonly journal: JournalRepository,
    private readonly webhooks: WebhookBacklogs,
    @Inject(SETTINGS) private readonly settings: Settings,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.figures = new TtlCache(clock, KEPT_MS, 1);
    this.sizes = new TtlCache(clock, SIZE_KEPT_MS, 1);
  }

  /** @throws AdminRequiredError */
  async read(
    principal: Principal,
  ): Promise<{ readonly figures: SystemFigures; readonly webhooks: WebhookFigures }> {
    if (!atLeast(principal.role, 'admin') || principal.projectId !== null) throw new AdminRequiredError();
    const [{ value: figures }, webhooks] = await Promise.all([
      this.figures.get('', () => this.measure()),
      this.webhooks.read(principal),
    ]);
    return { figures, webhooks };
  }

  private async measure(): Promise<SystemFigures> {
    const measuredAt = this.clock.now();
    const [queue, instances, held, feed, database] = await Promise.all([
      this.queue.totals(isoTime(measuredAt)),
      this.instances.list(),
      this.queue.held(),
      this.journal.delay(),
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
      feed,
      database: database.value,
    };
  }
}
