import { setTimeout as pause } from 'node:timers/promises';

/** Between two hints where one tells of few: who starts one execution after the other waits for none. */
const BRIEF_MS = 1;

/** Between two hints of a flood. */
const SPACING_MS = 10;

/** Makes one of many: sends at once, then at most every so often, and never two at a time. */
export class Teller {
  private sending = false;
  /** What is to be told since the last hint. */
  private told = 0;
  /** On the clock of the process. */
  private sentAt = Number.NEGATIVE_INFINITY;

  /** @param send must not reject */
  constructor(private readonly send: () => Promise<void>) {}

  tell(): void {
    this.told += 1;
    if (this.sending) return;
    this.sending = true;
    void this.run();
  }

  private async run(): Promise<void> {
    while (this.told > 0) {
      const left = this.sentAt + BRIEF_MS - performance.now();
      if (left > 0) await rest(left);
      if (this.told > 1) await rest(SPACING_MS - BRIEF_MS);
      this.told = 0;
      await this.send();
      this.sentAt = performance.now();
    }
    this.sending = false;
  }
}

function rest(ms: number): Promise<void> {
  return pause(ms, undefined, { ref: false });
}
