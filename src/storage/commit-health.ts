import { databaseIsAway, StatementTimeoutError } from '../database/index.js';

/** A commit that takes longer counts as stuck. */
const STUCK_MS = 3_000;

/**
 * Hears of each commit that was answered.
 * @param durationMs from the hand-over to the answer
 * @param units of work that it held
 */
export type CommitListener = (durationMs: number, units: number) => void;

/** Whether commits go through: the part of readiness that a read cannot tell. */
export class CommitHealth {
  private begunAt: number | null = null;
  private failure: Error | null = null;
  private readonly listeners: CommitListener[] = [];
  /** Commits under way, oldest first; kept only where somebody listens. */
  private readonly underWay: { readonly at: number; readonly units: number }[] = [];

  listenWith(listener: CommitListener): void {
    this.listeners.push(listener);
  }

  /** A commit was handed to the database. */
  begun(units: number): void {
    this.begunAt ??= performance.now();
    if (this.listeners.length > 0) this.underWay.push({ at: performance.now(), units });
  }

  /** The oldest commit was answered. @param isIdle whether no other one is under way */
  answered(isIdle = true): void {
    this.begunAt = isIdle ? null : performance.now();
    const commit = this.underWay.shift();
    if (commit === undefined) return;
    const durationMs = performance.now() - commit.at;
    for (const listener of this.listeners) listener(durationMs, commit.units);
  }

  /** A unit was written, or refused for a reason of its own. */
  wrote(): void {
    this.failure = null;
  }

  /** A unit was refused. It counts where the database itself is the reason. */
  failed(error: unknown): void {
    if (databaseIsAway(error)) this.failure = error instanceof Error ? error : new Error(String(error));
    else this.wrote();
  }

  /** @throws Error why commits do not go through */
  check(): void {
    if (this.failure !== null) throw this.failure;
    if (this.begunAt !== null && performance.now() - this.begunAt > STUCK_MS)
      throw new StatementTimeoutError(STUCK_MS);
  }
}
