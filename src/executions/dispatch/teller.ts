/** Between two hints; of what is to be told meanwhile one hint tells. */
const SPACING_MS = 10;

/** Makes one of many: sends at once, then at most every so often, and never two at a time. */
export class Teller {
  private sending = false;
  private again = false;

  /** @param send must not reject */
  constructor(private readonly send: () => Promise<void>) {}

  tell(): void {
    if (this.sending) {
      this.again = true;
      return;
    }
    this.sending = true;
    void this.run();
  }

  private async run(): Promise<void> {
    do {
      this.again = false;
      await this.send();
      await new Promise((resolve) => setTimeout(resolve, SPACING_MS).unref());
    } while (this.again);
    this.sending = false;
  }
}
