import { setTimeout as pause } from 'node:timers/promises';

/**
 * Minimum milliseconds between two sends while one hint is pending. A hint is a notification without content.
 */
const MIN_GAP_MS = 1;

/** Minimum milliseconds between two sends while several hints are pending. */
const BURST_GAP_MS = 10;

/**
 * Combines bursts of hints (notifications without content) into few sends. A hint after a pause is sent
 * immediately. Hints that arrive during a send share the next send. Sends never overlap.
 */
export class HintCoalescer {
  private sending = false;
  private pending = 0;
  /** Time at which the last send of hints ended, on the monotonic clock. */
  private sentAt = Number.NEGATIVE_INFINITY;

  /**
   * @param send must not reject
   *
   * @param burstGapMs minimum gap between two sends during a burst
   */
  constructor(
    private readonly send: () => Promise<void> | void,
    private readonly burstGapMs = BURST_GAP_MS,
  ) {}

  notify(): void {
    this.pending += 1;
    if (this.sending) return;
    this.sending = true;
    void this.run();
  }

  private async run(): Promise<void> {
    while (this.pending > 0) {
      const left = this.sentAt + MIN_GAP_MS - performance.now();
      if (left > 0) await rest(left);
      if (this.pending > 1) await rest(this.burstGapMs - MIN_GAP_MS);
      this.pending = 0;
      await this.send();
      this.sentAt = performance.now();
    }
    this.sending = false;
  }
}

function rest(ms: number): Promise<void> {
  return pause(ms, undefined, { ref: false });
}
