import { databaseIsAway, StatementTimeoutError } from '../database/index.js';

/** Duration in milliseconds after which a commit counts as stuck. */
const STUCK_MS = 3_000;

/**
 * Called after each commit.
 * @param durationMs from handing the commit to the database until its response
 * @param units number of units of work in the commit
 */
export type CommitListener = (durationMs: number, units: number) => void;

/** Tracks whether commits succeed: the part of readiness that a read cannot check. */
export class CommitHealth {
  private begunAt: number | null = null;
  private failure: Error | null = null;
  private readonly listeners: CommitListener[] = [];
  /** Commits in progress, oldest first; recorded only if there is a listener. */
  private readonly underWay: { readonly at: number; readonly units: number }[] = [];

  listenWith(listener: CommitListener): void {
    this.listeners.push(listener);
  }

  /** Called when a commit is handed to the database. */
  begun(units: number): void {
    this.begunAt ??= performance.now();
    if (this.listeners.length > 0) this.underWay.push({ at: performance.now(), units });
  }

  /** Called when the oldest commit completes. @param isIdle whether no other commit is in progress */
  answered(isIdle = true): void {
    this.begunAt = isIdle ? null : performance.now();
    const commit = this.underWay.shift();
    if (commit === undefined) return;
    const durationMs = performance.now() - commit.at;
    for (const listener of this.listeners) listener(durationMs, commit.units);
  }

  /** Called when a unit is written, or refused for a reason of its own. */
  wrote(): void {
    this.failure = null;
  }

  /** Called when a unit is refused. Counts as a failure only if the database is the cause. */
  failed(error: unknown): void {
    if (databaseIsAway(error)) this.failure = error instanceof Error ? error : new Error(String(error));
    else this.wrote();
  }

  /** @throws Error why commits currently fail */
  check(): void {
    if (this.failure !== null) throw this.failure;
    if (this.begunAt !== null && performance.now() - this.begunAt > STUCK_MS)
      throw new StatementTimeoutError(STUCK_MS);
  }
}
