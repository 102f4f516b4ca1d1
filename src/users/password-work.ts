import { UnavailableError } from '../errors/index.js';

/** Priority: a person seen before, or an unknown caller. */
export type PasswordLane = 'known' | 'unknown';

/** Maximum number of concurrent hashes: half of libuv's threads, which file access and name lookup need, too. */
export const PASSWORDS_AT_ONCE = 2;
/** A few seconds of work. */
export const MAX_WAITING_UNKNOWN = 100;

/** Bounds password hashing, which is slow on purpose and available to strangers. */
export class PasswordWork {
  private running = 0;
  private readonly waiting: Readonly<Record<PasswordLane, (() => void)[]>> = { known: [], unknown: [] };

  /**
   * Runs a piece of work when it is its turn; known callers go first.
   * @throws UnavailableError when too many unknown callers wait
   */
  async run<T>(lane: PasswordLane, work: () => Promise<T>): Promise<T> {
    if (this.running < PASSWORDS_AT_ONCE) this.running += 1;
    else await this.turn(lane);
    try {
      return await work();
    } finally {
      const next = this.waiting.known.shift() ?? this.waiting.unknown.shift();
      if (next === undefined) this.running -= 1;
      else next();
    }
  }

  private turn(lane: PasswordLane): Promise<void> {
    if (lane === 'unknown' && this.waiting.unknown.length >= MAX_WAITING_UNKNOWN)
      throw new UnavailableError('Too many people sign in at once; try again.');
    return new Promise((resolve) => this.waiting[lane].push(resolve));
  }
}
