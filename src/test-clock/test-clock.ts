import { Injectable } from '@nestjs/common';
import { InstanceRepository } from '../instances/index.js';
import { systemClock } from '../platform/index.js';
import { DueWork } from './due-work.js';
import { POLL_MS, SharedOffset } from './shared-offset.js';

/** Maximum wait, in milliseconds of real time, until the work that is due at one point in time has ended. */
const SETTLE_MS = 5_000;
/**
 * Shorter maximum wait, in milliseconds of real time. Applies to the rest of a move of the clock after a wait
 * of `SETTLE_MS` was too short.
 */
const SHORT_SETTLE_MS = 250;

/**
 * Maximum duration of a move of the clock, in milliseconds of real time. If the move ends early, the caller sends
 * another request for the remaining time.
 */
const MOVE_MS = 25_000;

export interface MovedClock {
  /** Time of the service after the move, in epoch milliseconds. */
  readonly now: number;
  /** Requested target in epoch milliseconds. The target is later than `now` if the move stopped early. */
  readonly target: number;
  /** Number of points in time, up to the target, at which work was due. */
  readonly instants: number;
  /** Whether all due work in this process has ended. False if, for example, a node still runs. */
  readonly isSettled: boolean;
}

/** Advances the clock of the service from one due time to the next. */
@Injectable()
export class TestClock {
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly offset: SharedOffset,
    private readonly due: DueWork,
    private readonly instances: InstanceRepository,
  ) {}

  /** Returns the current time of the service in epoch milliseconds, including the stored offset of the test clock. */
  async now(): Promise<number> {
    await this.offset.read();
    return systemClock.now();
  }

  /**
   * Advances the clock to a target time. Concurrent calls run one after another.
   *
   * @param targetOf returns the target for the current time, both in epoch milliseconds; for a target in the past, the
   * clock stays and the call only waits for due work
   */
  move(targetOf: (now: number) => number): Promise<MovedClock> {
    const moved = this.last.then(async () => this.moveTo(targetOf(await this.now())));
    this.last = moved.catch(() => undefined);
    return moved;
  }

  private async moveTo(target: number): Promise<MovedClock> {
    const limit = performance.now() + MOVE_MS;
    let outlook = await this.due.settled(SETTLE_MS);
    let isSettled = outlook.isQuiet;
    let instants = 0;
    while (systemClock.now() < target && performance.now() < limit) {
      if (outlook.nextAt <= target) instants += 1;
      await this.offset.moveTo(Math.min(outlook.nextAt, target));
      outlook = await this.due.settled(isSettled ? SETTLE_MS : SHORT_SETTLE_MS);
      isSettled &&= outlook.isQuiet;
    }
    await this.waitForOthers();
    return { now: systemClock.now(), target, instants, isSettled };
  }

  /** Waits for two poll intervals, within which every other process has read the new offset. */
  private async waitForOthers(): Promise<void> {
    const { length } = await this.instances.list();
    if (length > 1) await new Promise((resolve) => setTimeout(resolve, 2 * POLL_MS));
  }
}
