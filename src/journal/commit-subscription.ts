import type { Logger } from '@nestjs/common';
import { type Notifications, POSITIONS_TOPIC, READERS_TOPIC } from '../storage/index.js';

/** Number of consecutive checks without a reader after which the subscription ends. */
const UNUSED_CHECKS = 3;

/**
 * The subscription to notifications about commits of other processes. It exists only while this process has readers of
 * such commits, because each notification wakes every subscribed process, and the wake-ups would grow with the square
 * of the number of processes. This process announces the subscription to the other processes, because they send
 * notifications only while a process has announced one (`RemoteReaders`).
 */
export class CommitSubscription {
  private isSubscribed = false;
  private unusedChecks = 0;
  /** The last call of `listen` or `unlisten`, so that these calls never overlap. */
  private last: Promise<void> = Promise.resolve();

  /**
   * @param hasReaders whether this process has readers of the commits of other processes
   * @param onNotification called after notifications, and once when the subscription has started, because this process
   * received no notifications of earlier commits
   */
  constructor(
    private readonly notifications: Pick<Notifications, 'listen' | 'notify' | 'unlisten'>,
    private readonly hasReaders: () => boolean,
    private readonly onNotification: () => void,
    private readonly logger: Logger,
  ) {}

  /** Subscribes, unless the subscription exists. */
  subscribe(): void {
    this.unusedChecks = 0;
    if (this.isSubscribed) return;
    this.isSubscribed = true;
    this.last = this.last.then(() => this.listen());
  }

  /**
   * Repeats the announcement of a subscription. Subscribes again after a failure, and ends a subscription that had no
   * reader at the last 3 checks. The owner calls this method every 5 s.
   */
  check(): void {
    if (this.isSubscribed) void this.notifications.notify(READERS_TOPIC);
    if (this.hasReaders()) return this.subscribe();
    this.unusedChecks += 1;
    if (!this.isSubscribed || this.unusedChecks < UNUSED_CHECKS) return;
    this.isSubscribed = false;
    this.last = this.last.then(() => this.notifications.unlisten(POSITIONS_TOPIC));
  }

  private async listen(): Promise<void> {
    try {
      await this.notifications.listen(POSITIONS_TOPIC, this.onNotification);
      await this.notifications.notify(READERS_TOPIC);
      this.onNotification();
    } catch (error) {
      // The regular polls find the commits, and the next check repeats the subscription.
      this.isSubscribed = false;
      this.logger.warn(
        { err: error },
        'Notifications about new events could not be subscribed to; trying again.',
      );
    }
  }
}
