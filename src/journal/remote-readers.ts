import { type Notifications, READERS_TOPIC } from '../storage/index.js';

/**
 * Milliseconds for which an announcement is valid. Announcements are repeated every 5 s, so the loss of one has no
 * effect.
 */
const VALID_MS = 15_000;

/**
 * Records whether other processes read the commits of this process. A process that has readers announces this every
 * 5 s (`CommitSubscription`). Without a valid announcement, this process sends no notifications about its commits, because
 * each notification costs CPU time in PostgreSQL and in every listening process.
 */
export class RemoteReaders {
  /** Time on the monotonic clock, in milliseconds, until which the last announcement is valid. */
  private validUntil = 0;

  /**
   * @param onAppeared called when an announcement arrives while none is valid. The readers have received no
   * notifications of commits since the last valid announcement.
   */
  constructor(
    private readonly notifications: Pick<Notifications, 'listen'>,
    private readonly onAppeared: () => void,
  ) {}

  /**
   * Starts to listen to announcements. Other processes may have announced readers before, so the start is treated like
   * an announcement.
   */
  async start(): Promise<void> {
    this.validUntil = performance.now() + VALID_MS;
    await this.notifications.listen(READERS_TOPIC, () => this.onAnnouncement());
  }

  get exist(): boolean {
    return performance.now() < this.validUntil;
  }

  private onAnnouncement(): void {
    const existed = this.exist;
    this.validUntil = performance.now() + VALID_MS;
    if (!existed) this.onAppeared();
  }
}
