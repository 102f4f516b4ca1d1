import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { CLOCK, type Clock, firstIdAt, Periodic } from '../platform/index.js';
import { TotalsRepository } from './totals.repository.js';

/**
 * Age in milliseconds at which an execution can be added to the totals. Ids are ordered by time, but a
 * process with a slower clock may still insert an execution with a smaller id.
 */
const MIN_AGE_MS = 5 * 60_000;

/** Maximum number of executions that one commit adds to the totals. */
const STEP = 500;

/**
 * Minimum number of new executions for an update of the totals. Until then, queries count the new executions
 * row by row.
 */
const MIN_NEW_EXECUTIONS = 500;

/**
 * Maximum number of late rows, which are executions that had not ended when the watermark passed their ids. At this
 * number, the watermark does not advance until some of these executions have ended.
 */
const MAX_LATE_ROWS = 1_000;

const INTERVAL_MS = 60_000;

/** Updates the totals in the background. Commits that start or end executions therefore write no totals. */
@Injectable()
export class TotalsKeeper implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(TotalsKeeper.name);
  private stopped = false;
  private readonly poll = new Periodic(
    INTERVAL_MS,
    () => this.update(),
    (error) => this.logger.warn({ err: error }, 'The totals could not be updated; trying again.'),
  );

  constructor(
    private readonly repository: TotalsRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.poll.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    await this.poll.stop();
  }

  async update(minNewExecutions = MIN_NEW_EXECUTIONS): Promise<void> {
    let minNew = minNewExecutions;
    // If several processes update the totals at the same time, one commit succeeds. The other processes wait for their
    // next poll.
    while (!this.stopped && (await this.step(minNew))) {
      minNew = 1;
      await pause(STEP / 50);
    }
  }

  /**
   * Adds late rows that have ended to the totals. If there are none, adds the next executions. A late row is
   * an execution that had not ended when the watermark passed its id.
   *
   * @returns true if more executions may remain to be counted
   */
  private async step(minNew: number): Promise<boolean> {
    const watermark = await this.repository.watermark();
    const lateRows = await this.repository.lateRows();
    if (lateRows.ended.length > 0) return this.repository.settle(watermark, lateRows.ended);
    if (lateRows.unfinished.length >= MAX_LATE_ROWS) return false;
    const before = firstIdAt(this.clock.now() - MIN_AGE_MS);
    const rows = await this.repository.between(watermark.upToId, before, STEP);
    const { lastId, ended, unfinished } = rows;
    if (lastId === null || ended.length + unfinished.length < minNew) return false;
    return this.repository.advance(watermark, lastId, rows);
  }
}
