import type { KeyClaim } from '../../idempotency/index.js';
import type { Execution } from '../../execution-store/index.js';

/** A start as data: all that its first commit is made of, whichever process makes it. */
export interface OfferedStart {
  /** Held by nobody; only its queued event has come about. */
  readonly execution: Execution;
  /** The revision of the workflow that the commit is to hold to; null where there is none to hold to. */
  readonly revision: number | null;
  /** Claimed in the same commit. */
  readonly claim: KeyClaim | null;
}

/** What became of an offered start: it is durable, there was no room for it, or it could not be written. */
export type StartFate = 'taken' | 'full' | 'refused';

/** Writes an offered start here; never rejects. */
export type StartTaker = (start: OfferedStart) => Promise<StartFate>;

/**
 * Offers new executions of a process that only answers to processes that run: who takes one begins it before it is
 * written, and writes once what else takes three commits in two processes. It stays with the offering process until it is
 * told that it is durable, so an offer may be lost, doubled or late: the id of the execution is unique in the
 * database.
 * Every adapter that reaches others passes `test/contracts/start-offers.contract.ts`.
 */
export abstract class StartOffers {
  /**
   * Null where nobody is there to take it. Else resolves, soon and always: true when it was taken and is durable; false
   * when it was not, or nobody knows, so that the offering process has to see to it.
   */
  abstract offer(start: OfferedStart): Promise<boolean> | null;

  /** Begins to take what others offer; for processes that run executions. */
  abstract listen(take: StartTaker): Promise<void>;

  /** Takes nothing more. */
  abstract leave(): Promise<void>;
}

/** Where there are no processes that only answer, or no way to them. */
export class NoStartOffers extends StartOffers {
  offer(): null {
    return null;
  }

  async listen(): Promise<void> {}

  async leave(): Promise<void> {}
}
