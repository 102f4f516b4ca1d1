/** An execution with this many consecutive recoveries is quarantined. */
const QUARANTINED_AFTER = 2;

/**
 * An execution with this many consecutive recoveries runs without other quarantined executions, so that only this
 * execution can be the culprit of a crash.
 */
const ALONE_AFTER = 3;

/**
 * Milliseconds to wait for further executions before a quarantined execution runs. After a restart, executions arrive
 * one after another.
 */
const GATHERING_MS = 100;

/** Milliseconds after which an execution frees its lane if its process has not crashed. */
const PROBATION_MS = 30_000;

/**
 * Milliseconds after a culprit is found during which quarantined executions need no lane. In this time, the process
 * claims the executions that were recovered from the same crash.
 */
const RELEASED_MS = 10_000;

/** Durations in milliseconds; shorter in tests. */
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
 * Quarantines executions that were recovered several times in a row, because they may crash their process. A process
 * has one lane per core, and each lane runs one quarantined execution at a time. Executions with the fewest recoveries
 * run first. After three recoveries, an execution runs alone. An execution frees its lane when it makes progress, ends
 * or has run for 30 s. When a culprit is found, the other executions run without lanes.
 */
export class CrashQuarantine {
  private readonly line: Suspect[] = [];
  private readonly lanes = new Set<Suspect>();
  private gathering = false;
  /** Time on the monotonic clock until which quarantined executions need no lane. */
  private releasedUntil = -Infinity;
  private draining = false;

  /**
   * @param maxRecoveries number of consecutive recoveries with which an execution fails
   * @param laneCount maximum number of quarantined executions that run at the same time
   */
  constructor(
    readonly maxRecoveries: number,
    private readonly laneCount: number,
    private readonly times: QuarantineTimes = { gathering: GATHERING_MS, probation: PROBATION_MS },
  ) {}

  /** Whether an execution has the maximum number of consecutive recoveries and must fail. */
  isExhausted(recoveries: number): boolean {
    return recoveries >= this.maxRecoveries;
  }

  /** Whether an execution with this number of consecutive recoveries is quarantined. */
  isQuarantined(recoveries: number): boolean {
    return recoveries >= Math.min(QUARANTINED_AFTER, Math.max(1, this.maxRecoveries - 1));
  }

  /**
   * Runs an execution. A quarantined execution first waits for a lane.
   * @param recoveries number of consecutive recoveries from crashed processes
   * @param go runs the execution; must call `clear` when the execution makes progress
   */
  run<T>(recoveries: number, go: (clear: () => void) => Promise<T>): Promise<T> {
    const { promise: cleared, resolve: clear } = Promise.withResolvers<void>();
    if (!this.isQuarantined(recoveries)) return go(clear);
    return new Promise((resolve, reject) => {
      this.line.push({ recoveries, cleared, begin: () => go(clear).then(resolve, reject) });
      this.gather();
    });
  }

  /**
   * Must be called when a culprit is found. Other executions then need no lane, except executions that must run alone.
   */
  release(): void {
    this.releasedUntil = performance.now() + RELEASED_MS;
    this.serve();
  }

  /** Must be called when the process shuts down. All waiting executions begin, so that their runs hand them over. */
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

  /** Removes and returns the execution that may begin next; undefined if no execution may begin. */
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
