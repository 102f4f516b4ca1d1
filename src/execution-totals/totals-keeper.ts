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

/** Executions younger than this are counted when they are asked for: one of a slower clock may still come before them. */
const SETTLED_MS = 5 * 60_000;

/** Executions counted in one commit. */
const STEP = 500;

/** Fewer than these are not worth a commit: counting them when they are asked for costs next to nothing. */
const WORTHWHILE = 500;

/** Executions before the frontier that may be unfinished; past that it waits for them. */
const MAX_STRAGGLERS = 1_000;

const INTERVAL_MS = 60_000;

/** Keeps the totals near the present, in small steps: nothing is written for them where executions run. */
@Injectable()
export class TotalsKeeper implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(TotalsKeeper.name);
  private stopped = false;
  private readonly poll = new Periodic(
    INTERVAL_MS,
    () => this.keep(),
    (error) => this.logger.warn({ err: error }, 'The totals could not be kept; trying again.'),
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

  /** Counts all that is due. */
  async keep(worthwhile = WORTHWHILE): Promise<void> {
    let least = worthwhile;
    // Where another process counts at the same time, one of the two goes on.
    while (!this.stopped && (await this.step(least))) {
      least = 1;
      await pause(STEP / 50);
    }
  }

  /** @returns whether there may be more to do */
  private async step(least: number): Promise<boolean> {
    const frontier = await this.repository.frontier();
    const stragglers = await this.repository.stragglers();
    if (stragglers.ended.length > 0) return this.repository.settle(frontier, stragglers.ended);
    if (stragglers.unfinished.length >= MAX_STRAGGLERS) return false;
    const before = firstIdAt(this.clock.now() - SETTLED_MS);
    const rows = await this.repository.between(frontier.upToId, before, STEP);
    const { lastId, ended, unfinished } = rows;
    if (lastId === null || ended.length + unfinished.length < least) return false;
    return this.repository.advance(frontier, lastId, rows);
  }
}
