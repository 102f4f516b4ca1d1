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

/** Minimum age of a counted execution in milliseconds. A process with a slower clock may still insert smaller ids. */
const SETTLED_MS = 5 * 60_000;

/** Maximum number of executions per commit. */
const STEP = 500;

/** Minimum number of executions for a pass. Queries count fewer executions row by row. */
const WORTHWHILE = 500;

/** Maximum number of unfinished executions before the watermark. The watermark stops at this number. */
const MAX_STRAGGLERS = 1_000;

const INTERVAL_MS = 60_000;

/**
 * Updates the totals in the background, in small commits. Starts and ends of executions therefore write no totals.
 */
@Injectable()
export class TotalsKeeper implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(TotalsKeeper.name);
  private stopped = false;
  private readonly poll = new Periodic(
    INTERVAL_MS,
    () => this.keep(),
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

  async keep(worthwhile = WORTHWHILE): Promise<void> {
    let least = worthwhile;
    // If several processes count at the same time, only one continues.
    while (!this.stopped && (await this.step(least))) {
      least = 1;
      await pause(STEP / 50);
    }
  }

  /** @returns whether more executions may remain */
  private async step(least: number): Promise<boolean> {
    const frontier = await this.repository.watermark();
    const stragglers = await this.repository.lateRows();
    if (stragglers.ended.length > 0) return this.repository.settle(frontier, stragglers.ended);
    if (stragglers.unfinished.length >= MAX_STRAGGLERS) return false;
    const before = firstIdAt(this.clock.now() - SETTLED_MS);
    const rows = await this.repository.between(frontier.upToId, before, STEP);
    const { lastId, ended, unfinished } = rows;
    if (lastId === null || ended.length + unfinished.length < least) return false;
    return this.repository.advance(frontier, lastId, rows);
  }
}
