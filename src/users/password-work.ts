import { UnavailableError } from '../errors/index.js';

/** Priority of a hash: for a known person, or for an unknown caller. */
export type PasswordLane = 'known' | 'unknown';

/** Maximum number of concurrent hashes: half of libuv's threads, because file access also needs threads. */
export const PASSWORDS_AT_ONCE = 2;
/** Maximum number of waiting hashes for unknown callers, which take a few seconds. */
export const MAX_WAITING_UNKNOWN = 100;

/** Limits password hashing, which is slow on purpose and which anyone can request. */
export class PasswordWork {
  private running = 0;
  private readonly waiting: Readonly<Record<PasswordLane, (() => void)[]>> = { known: [], unknown: [] };

  /**
   * Runs a hash when its turn comes. Hashes for known callers run first.
   *
   * @throws UnavailableError when too many hashes of unknown callers wait
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
      throw new UnavailableError('Too many people are signing in at the same time. Try again.');
    return new Promise((resolve) => this.waiting[lane].push(resolve));
  }
}
