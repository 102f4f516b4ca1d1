import { Injectable } from '@nestjs/common';
import { InstanceRepository } from '../instances/index.js';
import { systemClock } from '../platform/index.js';
import { DueWork } from './due-work.js';
import { POLL_MS, SharedOffset } from './shared-offset.js';

/** Real time that one instant has for what is due at it, and less once an instant needed more. */
const SETTLE_MS = 5_000;
const SHORT_SETTLE_MS = 250;

/** Real time after which a move ends early; the caller asks for the rest. */
const MOVE_MS = 25_000;

/** How far the test clock was moved. */
export interface MovedClock {
  /** Epoch milliseconds. */
  readonly now: number;
  /** Epoch milliseconds that it was to reach; later than `now` if the move ended early. */
  readonly target: number;
  /** Instants at which something was due on the way. */
  readonly instants: number;
  /** Whether everything that was due has fired, as far as this process can know. */
  readonly isSettled: boolean;
}

/** Moves the time of the service, from one due instant to the next. */
@Injectable()
export class TestClock {
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly offset: SharedOffset,
    private readonly due: DueWork,
    private readonly instances: InstanceRepository,
  ) {}

  /** Epoch milliseconds, by the offset that the database holds. */
  async now(): Promise<number> {
    await this.offset.read();
    return systemClock.now();
  }

  /**
   * Moves the clock ahead; moves of one process run one after the other.
   * @param targetOf from the present time the instant to move to; one that is past only waits for what is due
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

  /** Other processes have read the offset after two of their polls, even if they missed the notification. */
  private async waitForOthers(): Promise<void> {
    const { length } = await this.instances.list();
    if (length > 1) await new Promise((resolve) => setTimeout(resolve, 2 * POLL_MS));
  }
}
