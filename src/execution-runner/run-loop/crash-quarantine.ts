/** Consecutive recoveries after which an execution is quarantined. */
const QUARANTINED_AFTER = 2;

/** Consecutive recoveries after which a quarantined execution runs alone: a crash then has one culprit. */
const ALONE_AFTER = 3;

/** Time for others to join before the first one is chosen: after a restart they come one by one. */
const GATHERING_MS = 100;

/** An execution that has run for so long without ending its process makes way for the next. */
const PROBATION_MS = 30_000;

/** Once a culprit is found, executions recovered from the same crash are read from the database within this time. */
const RELEASED_MS = 10_000;

/** How long executions of the quarantine are watched, in milliseconds; tests have less time. */
export interface QuarantineTimes {
  readonly gathering: number;
  readonly probation: number;
}

interface Suspect {
  readonly recoveries: number;
  readonly begin: () => Promise<unknown>;
  readonly cleared: Promise<void>;
}

/**
 * Executions that may be what crashes their processes: they were recovered several times in a row. They run in as many
 * lanes as there are cores, the least often recovered first; one that was recovered once more runs alone. An execution
 * leaves its lane when it makes progress, ends or has run for 30 s. When a culprit is found, the rest runs together.
 */
export class CrashQuarantine {
  private readonly line: Suspect[] = [];
  private readonly lanes = new Set<Suspect>();
  private gathering = false;
  /** On the monotonic clock. */
  private releasedUntil = -Infinity;
  private draining = false;

  /**
   * @param maxRecoveries consecutive recoveries after which an execution is given up
   * @param laneCount quarantined executions that run at once
   */
  constructor(
    readonly maxRecoveries: number,
    private readonly laneCount: number,
    private readonly times: QuarantineTimes = { gathering: GATHERING_MS, probation: PROBATION_MS },
  ) {}

  /** Whether an execution was recovered so often in a row that it is given up. */
  isExhausted(recoveries: number): boolean {
    return recoveries >= this.maxRecoveries;
  }

  /** Whether an execution that was recovered so often in a row is quarantined. */
  isQuarantined(recoveries: number): boolean {
    return recoveries >= Math.min(QUARANTINED_AFTER, Math.max(1, this.maxRecoveries - 1));
  }

  /**
   * Runs an execution, in its turn where it is quarantined.
   * @param recoveries how often in a row it was recovered from a crashed process
   * @param go is given what to call when the execution makes progress
   */
  run<T>(recoveries: number, go: (clear: () => void) => Promise<T>): Promise<T> {
    const { promise: cleared, resolve: clear } = Promise.withResolvers<void>();
    if (!this.isQuarantined(recoveries)) return go(clear);
    return new Promise((resolve, reject) => {
      this.line.push({ recoveries, cleared, begin: () => go(clear).then(resolve, reject) });
      this.gather();
    });
  }

  /** A culprit was found: those recovered with it run together. One that is to run alone does so all the same. */
  release(): void {
    this.releasedUntil = performance.now() + RELEASED_MS;
    this.serve();
  }

  /** The process ends: everything begins, which hands it back. */
  drain(): void {
    this.draining = true;
    this.serve();
  }

  private gather(): void {
    if (this.gathering) return;
    this.gathering = true;
    setTimeout(() => {
      this.gathering = false;
      this.serve();
    }, this.times.gathering);
  }

  private serve(): void {
    for (let next = this.next(); next !== undefined; next = this.next()) void this.begin(next);
  }

  /** Takes the next one that may begin out of the line. */
  private next(): Suspect | undefined {
    const least = Math.min(...this.line.map(({ recoveries }) => recoveries));
    const place = this.line.findIndex(({ recoveries }) => recoveries === least);
    if (place < 0 || !this.mayBegin(least)) return undefined;
    return this.line.splice(place, 1)[0];
  }

  private mayBegin(recoveries: number): boolean {
    if (this.draining) return true;
    if (this.gathering && this.lanes.size === 0 && !this.isReleased) return false;
    if (this.isAlone(recoveries)) return this.lanes.size === 0;
    if (this.isReleased) return true;
    const [running] = this.lanes;
    return running === undefined || (this.lanes.size < this.laneCount && !this.isAlone(running.recoveries));
  }

  private get isReleased(): boolean {
    return performance.now() < this.releasedUntil;
  }

  private isAlone(recoveries: number): boolean {
    return recoveries >= Math.min(ALONE_AFTER, this.maxRecoveries - 1);
  }

  private async begin(suspect: Suspect): Promise<void> {
    this.lanes.add(suspect);
    let timer: NodeJS.Timeout | undefined;
    const probation = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, this.times.probation);
      timer.unref();
    });
    await Promise.race([suspect.begin(), suspect.cleared, probation]);
    clearTimeout(timer);
    this.lanes.delete(suspect);
    this.serve();
  }
}
