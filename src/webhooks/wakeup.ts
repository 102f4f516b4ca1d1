/** Lets one loop sleep until it is notified. A notification before the sleep ends the sleep at once. */
export class Wakeup {
  private isNotified = false;
  private resolve: (() => void) | undefined;

  notify(): void {
    this.isNotified = true;
    this.resolve?.();
  }

  /** @returns false if the time passed without a notification */
  async wait(ms: number): Promise<boolean> {
    if (!this.isNotified) {
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        this.resolve = resolve;
        timer = setTimeout(resolve, ms).unref();
      });
      clearTimeout(timer);
      this.resolve = undefined;
    }
    const wasNotified = this.isNotified;
    this.isNotified = false;
    return wasNotified;
  }
}
