/** Runs a task at a fixed interval. The timer does not keep the process alive, and runs of the task never overlap. */
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
   * Starts the interval unless it has already started.
   *
   * @param firstMs milliseconds until the first run; the default is the interval
   */
  start(firstMs = this.intervalMs): void {
    if (this.timer === undefined) this.runAfter(firstMs);
  }

  /** Stops the interval and waits for the run in progress. The promise never rejects. */
  async stop(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    await this.running;
  }

  /** Runs the task now, or waits for the run in progress. The promise never rejects. */
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
