/** Token bucket that limits the messages of one client. */
export class MessagePace {
  private tokens: number;
  private at: number;

  /** @param now epoch milliseconds */
  constructor(
    private readonly perSecond: number,
    private readonly burst: number,
    now: number,
  ) {
    this.tokens = burst;
    this.at = now;
  }

  /** Takes a token for one message. Returns false if the bucket is empty. */
  take(now: number): boolean {
    // If the clock is set back, the elapsed time counts as 0, so that the bucket loses no tokens.
    const elapsed = Math.max(0, now - this.at);
    this.at = now;
    this.tokens = Math.min(this.burst, this.tokens + (elapsed * this.perSecond) / 1000);
    if (this.tokens < 1) return false;
    this.tokens -= 1;
    return true;
  }
}
