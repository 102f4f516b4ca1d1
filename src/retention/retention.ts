import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { CLOCK, type Clock, Periodic } from '../platform/index.js';
import { type Settings, SETTINGS } from '../settings/index.js';
import { SessionStates } from '../sessions/index.js';
import { InstanceRegistry } from '../instances/index.js';
import { ChoreRepository } from './chore.repository.js';
import { RetentionSweeper } from './retention-sweeper.ts';

const CHORE = 'retention';
const DAY_MS = 24 * 3_600_000;

/**
 * Milliseconds from the startup of the process to its first deletion, so that the deletion does not slow the startup.
 */
const FIRST_MS = 5 * 60_000;
const INTERVAL_MS = 60 * 60_000;

/** Minimum milliseconds between the starts of two deletions, even if different processes run them. */
const MIN_START_GAP_MS = INTERVAL_MS - 60_000;

/**
 * Deletes expired data: executions that ended more than `RETENTION_DAYS` ago, expired node results, and records of
 * session changes that are older than 24 hours. Only one process at a time deletes expired data.
 */
@Injectable()
export class Retention implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(Retention.name);
  private readonly stopping = new AbortController();
  private readonly sweep = new Periodic(
    INTERVAL_MS,
    () => this.trim(),
    (error) => this.logger.warn({ err: error }, 'Expired data could not be deleted; trying again.'),
  );

  constructor(
    @Inject(RetentionSweeper) private readonly sweeper: Pick<RetentionSweeper, 'trim'>,
    @Inject(SessionStates) private readonly sessionStates: Pick<SessionStates, 'removeOldChanges'>,
    @Inject(ChoreRepository) private readonly chores: Pick<ChoreRepository, 'claim' | 'release'>,
    @Inject(InstanceRegistry) private readonly instance: Pick<InstanceRegistry, 'id'>,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'RETENTION_DAYS'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.sweep.start(FIRST_MS);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await this.sweep.stop();
  }

  /**
   * Deletes expired data, unless a process has started a deletion within the last 59 minutes. The promise never
   * rejects.
   */
  run(): Promise<void> {
    return this.sweep.run();
  }

  private async trim(): Promise<void> {
    const now = this.clock.now();
    const { id } = this.instance;
    if (!(await this.chores.claim(CHORE, id, now - MIN_START_GAP_MS, now))) return;
    const { RETENTION_DAYS: days } = this.settings;
    try {
      await this.sessionStates.removeOldChanges();
      const { executions, results, bytes } = await this.sweeper.trim(
        now - days * DAY_MS,
        now,
        this.stopping.signal,
      );
      if (executions + results > 0)
        this.logger.log(
          `Deleted ${executions} executions that ended more than ${days} days ago and ${results} expired results; ${Math.round(bytes / 1_048_576)} MB returned to the disk.`,
        );
    } finally {
      await this.chores.release(CHORE, id);
    }
  }
}
