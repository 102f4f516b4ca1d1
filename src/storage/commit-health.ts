import { databaseIsAway, StatementTimeoutError } from '../database/index.js';

/** A commit that takes longer counts as stuck. */
const STUCK_MS = 3_000;

/** Whether commits go through: the part of readiness that a read cannot tell. */
export class CommitHealth {
  private begunAt: number | null = null;
  private failure: Error | null = null;

  /** A commit was handed to the database. */
  begun(): void {
    this.begunAt ??= performance.now();
  }

  /** The oldest commit was answered. @param isIdle whether no other one is under way */
  answered(isIdle = true): void {
    this.begunAt = isIdle ? null : performance.now();
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
