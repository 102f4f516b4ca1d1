import { isDatabaseUnavailable, StatementTimeoutError } from '../database/index.js';

/** Milliseconds after which a commit in progress counts as stuck. */
const STUCK_MS = 3_000;

/**
 * Listener that is called after each commit.
 *
 * @param durationMs milliseconds from sending the commit to the response of the database
 * @param units number of units of work in the commit
 */
export type CommitListener = (durationMs: number, units: number) => void;

export interface CommitInProgress {
  /** Time at which the commit was sent, on the monotonic clock. */
  readonly at: number;
  readonly units: number;
}

/** Tracks whether commits succeed, because a successful read does not show that the database accepts writes. */
export class CommitHealth {
  private begunAt: number | null = null;
  private failure: Error | null = null;
  private readonly listeners: CommitListener[] = [];
  private readonly underWay: CommitInProgress[] = [];

  /**
   * @param isSerial whether the database makes one commit after the other, so that a commit begins only when the commit
   * before it has ended
   */
  constructor(private readonly isSerial: boolean) {}

  listenWith(listener: CommitListener): void {
    this.listeners.push(listener);
  }

  sent(units: number): CommitInProgress {
    const commit = { at: performance.now(), units };
    this.begunAt ??= commit.at;
    this.underWay.push(commit);
    return commit;
  }

  /**
   * Must be called when a commit ends, successfully or not.
   *
   * @param commit default: the oldest commit in progress
   * @returns duration of the commit in milliseconds
   */
  completed(commit: CommitInProgress | undefined = this.underWay[0]): number {
    if (commit === undefined) return 0;
    this.underWay.splice(this.underWay.indexOf(commit), 1);
    const [oldest] = this.underWay;
    if (oldest === undefined) this.begunAt = null;
    else this.begunAt = this.isSerial ? performance.now() : oldest.at;
    const durationMs = performance.now() - commit.at;
    for (const listener of this.listeners) listener(durationMs, commit.units);
    return durationMs;
  }

  /**
   * Must be called when the database has committed a unit of work. Must also be called when a working
   * database has refused a unit, for example because a row had changed.
   */
  succeeded(): void {
    this.failure = null;
  }

  /**
   * Must be called with the error of a refused unit of work. Only an outage of the database counts as a failed commit.
   */
  failed(error: unknown): void {
    if (isDatabaseUnavailable(error))
      this.failure = error instanceof Error ? error : new Error(String(error));
    else this.succeeded();
  }

  /** @throws Error that says why commits currently fail */
  check(): void {
    if (this.failure !== null) throw this.failure;
    if (this.begunAt !== null && performance.now() - this.begunAt > STUCK_MS)
      throw new StatementTimeoutError(STUCK_MS);
  }
}
