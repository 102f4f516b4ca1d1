import { UnavailableError } from '../errors/index.js';

/** Who waits first: a person who was seen before, or anybody. */
export type PasswordLane = 'known' | 'unknown';

/** Passwords hashed at once: half of the threads of libuv, which files and names need, too. */
export const PASSWORDS_AT_ONCE = 2;
/** Some seconds of work. */
export const MAX_WAITING_UNKNOWN = 100;

/** Bounds the hashing of passwords, which is slow on purpose and which strangers may ask for. */
export class PasswordWork {
  private running = 0;
  private readonly waiting: Readonly<Record<PasswordLane, (() => void)[]>> = { known: [], unknown: [] };

  /**
   * Runs a piece of work when it is its turn; known ones go first.
   * @throws UnavailableError when too many unknown ones wait
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
