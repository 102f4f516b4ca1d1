/** Consecutive recoveries after which an execution is quarantined. */
const QUARANTINED_AFTER = 2;

/** Consecutive recoveries after which a quarantined execution runs alone: a crash then has one culprit. */
const ALONE_AFTER = 3;

/** Delay in milliseconds before the first execution is chosen: after a restart, executions arrive one by one. */
const GATHERING_MS = 100;

/** Time in milliseconds after which an execution that did not crash its process gives up its lane. */
const PROBATION_MS = 30_000;

/**
 * Time in milliseconds after a culprit is found during which other executions need no lane. Executions recovered from
 * the same crash are read from the database within this time.
 */
const RELEASED_MS = 10_000;

/** Times of the quarantine in milliseconds; shorter in tests. */
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
 * Quarantines executions that may crash their process, because they were recovered several times in a row. They run in
 * as many lanes as there are cores, those with the fewest recoveries first; after one more recovery an execution runs
 * alone. An execution leaves its lane when it makes progress, ends or has run for 30 s. When a culprit is found, the
 * other executions run together.
 */
export class CrashQuarantine {
  private readonly line: Suspect[] = [];
  private readonly lanes = new Set<Suspect>();
  private gathering = false;
  /** End of the time after a culprit was found, on the monotonic clock. */
  private releasedUntil = -Infinity;
  private draining = false;

  /**
   * @param maxRecoveries consecutive recoveries after which an execution fails
   * @param laneCount maximum number of quarantined executions that run at once
   */
  constructor(
    readonly maxRecoveries: number,
    private readonly laneCount: number,
    private readonly times: QuarantineTimes = { gathering: GATHERING_MS, probation: PROBATION_MS },
  ) {}

  /** Whether an execution has used up its consecutive recoveries and must fail. */
  isExhausted(recoveries: number): boolean {
    return recoveries >= this.maxRecoveries;
  }

  /** Whether an execution with this many consecutive recoveries is quarantined. */
  isQuarantined(recoveries: number): boolean {
    return recoveries >= Math.min(QUARANTINED_AFTER, Math.max(1, this.maxRecoveries - 1));
  }

  /**
   * Runs an execution; a quarantined one waits for a lane.
   * @param recoveries consecutive recoveries from crashed processes
   * @param go runs the execution; gets a callback to call when the execution makes progress
   */
  run<T>(recoveries: number, go: (clear: () => void) => Promise<T>): Promise<T> {
    const { promise: cleared, resolve: clear } = Promise.withResolvers<void>();
    if (!this.isQuarantined(recoveries)) return go(clear);
    return new Promise((resolve, reject) => {
      this.line.push({ recoveries, cleared, begin: () => go(clear).then(resolve, reject) });
      this.gather();
    });
  }

  /** Call when a culprit is found: executions recovered with it run together, except those that must run alone. */
  release(): void {
    this.releasedUntil = performance.now() + RELEASED_MS;
    this.serve();
  }

  /** Call when the process shuts down: all waiting executions begin, and their runs hand them over. */
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

  /** Removes the next execution that may begin from the queue; undefined if none may. */
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
