import { UnavailableError } from '../errors/index.js';

/**
 * Priority of a password hash: `known` for signed-in users and known devices, `unknown` for all other callers. Known
 * callers are served first.
 */
export type PasswordLane = 'known' | 'unknown';

/**
 * Maximum number of password hashes that run at the same time: half of the four threads of libuv. File access also
 * needs these threads.
 */
export const PASSWORDS_AT_ONCE = 2;
/** Maximum number of hashes of unknown callers that wait. A process computes 100 hashes in a few seconds. */
export const MAX_WAITING_UNKNOWN = 100;

/**
 * Limits how many passwords are hashed at the same time. Hashing is slow on purpose, and anyone can cause it by trying
 * to sign in.
 */
export class PasswordWork {
  private running = 0;
  private readonly waiting: Readonly<Record<PasswordLane, (() => void)[]>> = { known: [], unknown: [] };

  /**
   * Runs a password hash as soon as fewer than two hashes run. Waiting hashes of known callers run before those of
   * unknown callers.
   *
   * @throws UnavailableError for an unknown caller if 100 hashes of unknown callers wait
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
