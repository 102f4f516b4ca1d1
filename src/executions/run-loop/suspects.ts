/** Time for others to join the line before its first one is chosen: after a restart they come one by one. */
const GATHERING_MS = 100;

interface Suspect {
  readonly recoveries: number;
  readonly begin: () => Promise<unknown>;
}

/**
 * Runs executions that may be what ends its process one after the other, so that one alone is blamed where it
 * ends again. Those that were taken over least often go first: who runs when a process is ended from without is
 * then another one each time, and what is innocent gets its turn before what is blamed most.
 */
export class Suspects {
  private readonly line: Suspect[] = [];
  private serving = false;

  /**
   * Runs it when its turn has come.
   * @param recoveries how often in a row it was taken over from a lost holder
   */
  run<T>(recoveries: number, go: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.line.push({ recoveries, begin: () => go().then(resolve, reject) });
      if (this.serving) return;
      this.serving = true;
      setTimeout(() => void this.serve(), GATHERING_MS);
    });
  }

  private async serve(): Promise<void> {
    while (this.line.length > 0) {
      const least = Math.min(...this.line.map(({ recoveries }) => recoveries));
      const place = this.line.findIndex(({ recoveries }) => recoveries === least);
      const [next] = this.line.splice(place, 1);
      await next?.begin();
    }
    this.serving = false;
  }
}
