import { type Alarm, type Clock, setAlarm } from '../platform/index.js';

/** Lets a loop sleep until a notification. A notification that arrived before the sleep ends the sleep immediately. */
export class Wakeup {
  private isNotified = false;
  private resolve: (() => void) | undefined;

  notify(): void {
    this.isNotified = true;
    this.resolve?.();
  }

  /**
   * Sleeps until a notification arrives or the alarm fires.
   * @returns false if the alarm fired without a notification
   */
  async wait(clock: Clock, alarm: Alarm): Promise<boolean> {
    if (!this.isNotified) {
      await new Promise<void>((resolve) => {
        const cancel = setAlarm(clock, alarm, resolve);
        this.resolve = () => {
          cancel();
          resolve();
        };
      });
      this.resolve = undefined;
    }
    const wasNotified = this.isNotified;
    this.isNotified = false;
    return wasNotified;
  }
}
