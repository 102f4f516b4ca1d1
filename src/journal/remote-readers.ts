import { type Notifications, READERS_TOPIC } from '../storage/index.js';

/**
 * Milliseconds for which an announcement is valid. It covers three repetitions, so that one lost announcement has no
 * effect.
 */
const VALID_MS = 15_000;

/**
 * Knows whether other processes read the commits of this process. A process with readers announces them every few
 * seconds (`CommitNotices`). Without a valid announcement, this process need not send notifications about its commits,
 * each of which would wake every process on the database.
 */
export class RemoteReaders {
  /** Time on the monotonic clock, in milliseconds, until which the last announcement is valid. */
  private validUntil = 0;

  /**
   * @param onAppeared called when an announcement arrives while none is valid. The readers have received no
   * notifications of commits since the last valid announcement.
   */
  constructor(
    private readonly notices: Pick<Notifications, 'listen'>,
    private readonly onAppeared: () => void,
  ) {}

  /** Starts to listen to announcements. Readers of other processes may already exist, so this call counts as one. */
  async start(): Promise<void> {
    this.validUntil = performance.now() + VALID_MS;
    await this.notices.listen(READERS_TOPIC, () => this.onAnnouncement());
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
