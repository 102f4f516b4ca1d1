import { UnavailableError } from '../errors/index.js';

/** Priority with which a password is hashed. Passwords of known people come before those of unknown callers. */
export type PasswordLane = 'known' | 'unknown';

/**
 * Maximum number of password hashes that run at the same time: half of the four threads of libuv. File access also
 * needs these threads.
 */
export const PASSWORDS_AT_ONCE = 2;
/** Maximum number of hashes for unknown callers that wait. This many hashes take a few seconds. */
export const MAX_WAITING_UNKNOWN = 100;

/**
 * Limits how many passwords are hashed at the same time. Hashing is slow on purpose, and anyone can cause it by trying
 * to sign in.
 */
export class PasswordWork {
  private running = 0;
  private readonly waiting: Readonly<Record<PasswordLane, (() => void)[]>> = { known: [], unknown: [] };

  /**
   * Runs a password hash when a thread is free. Hashes for known people run first.
   * @throws UnavailableError if too many hashes for unknown callers wait
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
