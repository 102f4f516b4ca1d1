/** Runs a task at an interval, without keeping the process alive. Runs never overlap. */
export class Periodic {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;

  /** @param task if it rejects, `onError` is called, and the task runs again after the interval */
  constructor(
    private readonly intervalMs: number,
    private readonly task: () => Promise<void> | void,
    private readonly onError: (error: unknown) => void,
  ) {}

  /**
   * Starts the interval, unless it is already started.
   *
   * @param firstMs milliseconds until the first run
   */
  start(firstMs = this.intervalMs): void {
    if (this.timer === undefined) this.runAfter(firstMs);
  }

  /** Ends the interval and waits for the run in progress. Never rejects. */
  async stop(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    await this.running;
  }

  /** Runs the task now, or joins the run in progress. Never rejects. */
  run(): Promise<void> {
    this.running ??= this.runOnce().finally(() => (this.running = undefined));
    return this.running;
  }

  private runAfter(ms: number): void {
    this.timer = setTimeout(() => {
      this.runAfter(this.intervalMs);
      void this.run();
    }, ms).unref();
  }

  private async runOnce(): Promise<void> {
    try {
      await this.task();
    } catch (error) {
      this.onError(error);
    }
  }
}
