import { databaseIsAway, StatementTimeoutError } from '../database/index.js';

/** Milliseconds after which a commit counts as stuck. */
const STUCK_MS = 3_000;

/**
 * Called after each commit.
 *
 * @param durationMs milliseconds from sending the commit to the database's response
 * @param units number of units of work in the commit
 */
export type CommitListener = (durationMs: number, units: number) => void;

export interface CommitInProgress {
  /** Time of sending, on the monotonic clock. */
  readonly at: number;
  readonly units: number;
}

/** Tracks whether commits succeed. A successful read does not show that writes succeed. */
export class CommitHealth {
  private begunAt: number | null = null;
  private failure: Error | null = null;
  private readonly listeners: CommitListener[] = [];
  private readonly underWay: CommitInProgress[] = [];

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
   * Must be called when a commit completes.
   *
   * @param commit default: the oldest commit in progress
   * @returns the duration in milliseconds
   */
  completed(commit: CommitInProgress | undefined = this.underWay[0]): number {
    if (commit === undefined) return 0;
    this.underWay.splice(this.underWay.indexOf(commit), 1);
    this.begunAt = this.underWay.length === 0 ? null : performance.now();
    const durationMs = performance.now() - commit.at;
    for (const listener of this.listeners) listener(durationMs, commit.units);
    return durationMs;
  }

  /** Must be called when a unit is written, or is refused for a reason other than the database. */
  succeeded(): void {
    this.failure = null;
  }

  /** Must be called when a unit is refused. Only an error of the database counts as a failure. */
  failed(error: unknown): void {
    if (databaseIsAway(error)) this.failure = error instanceof Error ? error : new Error(String(error));
    else this.succeeded();
  }

  /** @throws Error that says why commits currently fail */
  check(): void {
    if (this.failure !== null) throw this.failure;
    if (this.begunAt !== null && performance.now() - this.begunAt > STUCK_MS)
      throw new StatementTimeoutError(STUCK_MS);
  }
}
