/** Number of consecutive recoveries after which an execution is quarantined. */
const QUARANTINED_AFTER = 2;

/**
 * Number of consecutive recoveries after which a quarantined execution runs alone. If the process then crashes, the
 * execution must be the cause.
 */
const ALONE_AFTER = 3;

/**
 * Milliseconds that the quarantine waits before it starts an execution. After a restart, executions are claimed one
 * after another, and the ones with the fewest recoveries must start first.
 */
const GATHERING_MS = 100;

/** Milliseconds after which a running execution frees its lane, because it has not crashed the process so far. */
const PROBATION_MS = 30_000;

/**
 * Milliseconds during which quarantined executions need no lane, after one execution was found to cause the crashes.
 * During this time, the process claims the other executions that the same crash interrupted.
 */
const RELEASED_MS = 10_000;

/** Waiting times of the quarantine in milliseconds. Tests use shorter times. */
export interface QuarantineTimes {
  readonly gathering: number;
  readonly probation: number;
}

interface QuarantinedRun {
  readonly recoveries: number;
  readonly start: () => Promise<unknown>;
  readonly cleared: Promise<void>;
}

/**
 * Quarantines executions that were recovered several times in a row, because one of them may crash its process. A
 * process has one lane for each core, and each lane runs one quarantined execution at a time. Executions with the
 * fewest recoveries run first. After three recoveries, an execution runs alone. An execution frees its lane when it
 * makes progress, ends, or has run for 30 s. An execution that reaches the maximum number of recoveries fails as the
 * cause of the crashes. The other quarantined executions may then run without lanes for 10 s.
 */
export class CrashQuarantine {
  private readonly queue: QuarantinedRun[] = [];
  private readonly lanes = new Set<QuarantinedRun>();
  private gathering = false;
  /** Time on the monotonic clock, in milliseconds, until which quarantined executions need no lane. */
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

  /** Returns true if an execution has reached the maximum number of consecutive recoveries and must fail. */
  isExhausted(recoveries: number): boolean {
    return recoveries >= this.maxRecoveries;
  }

  /** Returns true if an execution with this number of consecutive recoveries must be quarantined. */
  isQuarantined(recoveries: number): boolean {
    return recoveries >= Math.min(QUARANTINED_AFTER, Math.max(1, this.maxRecoveries - 1));
  }

  /**
   * Runs an execution. A quarantined execution waits for a lane first.
   *
   * @param recoveries number of consecutive recoveries after crashes of the process
   * @param go runs the execution; must call its argument `clear` when the execution makes progress
   */
  run<T>(recoveries: number, go: (clear: () => void) => Promise<T>): Promise<T> {
    const { promise: cleared, resolve: clear } = Promise.withResolvers<void>();
    if (!this.isQuarantined(recoveries)) return go(clear);
    return new Promise((resolve, reject) => {
      this.queue.push({ recoveries, cleared, start: () => go(clear).then(resolve, reject) });
      this.gather();
    });
  }

  /**
   * Lets quarantined executions run without lanes for 10 s, after one execution was found to cause the crashes.
   * Executions that must run alone still wait.
   */
  release(): void {
    this.releasedUntil = performance.now() + RELEASED_MS;
    this.startNext();
  }

  /** Starts all waiting executions at shutdown, so that their runs can hand them over to other processes. */
  drain(): void {
    this.draining = true;
    this.startNext();
  }

  private gather(): void {
    if (this.gathering) return;
    this.gathering = true;
    setTimeout(() => {
      this.gathering = false;
      this.startNext();
    }, this.times.gathering);
  }

  private startNext(): void {
    for (let next = this.next(); next !== undefined; next = this.next()) void this.start(next);
  }

  /** Removes the next execution from the queue and returns it. Returns undefined if no execution may start now. */
  private next(): QuarantinedRun | undefined {
    const least = Math.min(...this.queue.map(({ recoveries }) => recoveries));
    const index = this.queue.findIndex(({ recoveries }) => recoveries === least);
    if (index < 0 || !this.mayStart(least)) return undefined;
    return this.queue.splice(index, 1)[0];
  }

  private mayStart(recoveries: number): boolean {
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

  private async start(run: QuarantinedRun): Promise<void> {
    this.lanes.add(run);
    let timer: NodeJS.Timeout | undefined;
    const probation = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, this.times.probation);
      timer.unref();
    });
    await Promise.race([run.start(), run.cleared, probation]);
    clearTimeout(timer);
    this.lanes.delete(run);
    this.startNext();
  }
}
